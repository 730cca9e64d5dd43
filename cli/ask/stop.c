#include "ask/stop.h"
#include "base/cleanup.h"
#include "base/parallel.h"
#include "out/note.h"
#include <signal.h>
#include <stdio.h>

static gint came; // the signal; 0 before

void stop_begin(void)
{
    cleanup_ask(&came);
    parallel_stoppable(&came);
}

gboolean stop_came(void)
{
    return g_atomic_int_get(&came) != 0;
}

void stop_end(guint done, guint all, const char *what)
{
    parallel_stoppable(NULL);
    cleanup_ask(NULL);
    if (!stop_came())
        return;
    if (done < all)
        note("stopped after %u of %u %s", done, all, what);
    fflush(stdout);
    raise(came); // whose handler ends the program
}
