// The kinds of `collsim tune` for libraries whose own choice is not in the data.
#pragma once
#include <glib.h>

// As in cli.h; argv[0] is "tune nccl" and so on.
int tune_others_intel(int argc, char **argv, GError **error);
int tune_others_nccl(int argc, char **argv, GError **error);
int tune_others_pgmpi(int argc, char **argv, GError **error);
