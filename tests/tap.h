// Runs a GLib test program so that it speaks TAP, also when called without --tap (as prove does).
#pragma once
#include <glib.h>

// Adds the tests with `add`, runs them, and returns main's exit status. Other arguments (-p PATH, -l) keep their
// meaning.
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
