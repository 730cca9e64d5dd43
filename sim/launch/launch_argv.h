// Between launch.c and launch_argv.c.
#pragma once
#include "launch/launch.h"

// The files that a run needs, in a folder of their own.
typedef struct LaunchFiles {
    char *folder, *plan, *platform, *hosts;
} LaunchFiles;

// Up to the plan; NULL and why not.
GPtrArray *launch_argv(const Launch *launch, int p, const LaunchFiles *files, GError **error);
