// Between launch.c and launch_argv.c.
#pragma once
#include "launch.h"

// The files that a run needs, in a folder of their own.
typedef struct LaunchFiles {
    char *folder, *plan, *platform, *hosts;
} LaunchFiles;

// Up to the plan; NULL and why not. by_file: the plan is to be a file's name, not the standard input. SMPI's ranks read it
// themselves, and MPICH's launcher loses what a rank does not read at once.
GPtrArray *launch_argv(const Launch *launch, int p, const LaunchFiles *files, gboolean *by_file, GError **error);
