#include "registry/entry.h"

const char *const coll_prestep_names[] = {"ompi", "mpich", NULL};
const char *const coll_lengths_names[] = {"far", "near", "mpich", NULL};
const char *const coll_level_names[] = {"conservative", "aggressive", NULL};
