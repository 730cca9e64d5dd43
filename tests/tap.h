// The main function of a test program. GLib writes TAP only when given --tap, which prove does not pass, so tap_run()
// adds it.
#pragma once
#include <glib.h>

// Registers the tests with `add`, runs them, and returns the exit status of main. GLib's own arguments work as usual:
// -l lists the tests, -p PATH runs those below PATH.
static inline int tap_run(int argc, char **argv, void (*add)(void))
{
    g_autofree char **args = g_new0(char *, argc + 2);
    char **given = args;
    int n = 0;
    args[n++] = argv[0];
    args[n++] = (char *)"--tap";
    for (int i = 1; i < argc; i++)
        args[n++] = argv[i];
    g_test_init(&n, &given, NULL);
    add();
    return g_test_run();
}
