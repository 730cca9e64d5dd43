#include "fuzz.h"
#include <signal.h>
#include <stdlib.h>

// libFuzzer keeps the input that a program aborts on, but it has no handler for SIGTRAP, which GLib raises where a
// critical warning is fatal. Without this one the process would end and take the input with it.
static void abort_instead(int number)
{
    (void)number;
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    signal(SIGTRAP, abort_instead);
    return 0;
}
