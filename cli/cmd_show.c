#include "cli.h"
#include "units.h"
int cmd_show(int argc, char **argv, GError **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    return 2;
}
