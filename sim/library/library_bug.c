// The library never ends the process of its caller. GLib's functions for an assertion that fails, for g_error and for
// an allocation that fails abort the process. Where the library calls one of them, the linker puts the function __wrap_
// of the same name in its place (LIBRARY_WRAPS in the Makefile), which ends the call of the library with an error
// instead. Programs of ours, the tests among them, keep GLib's functions.
#include "base/budget.h"
#include <stdlib.h>

void __wrap_g_log(const gchar *domain, GLogLevelFlags level, const gchar *format, ...) G_GNUC_PRINTF(3, 4);
void __wrap_g_assertion_message_expr(const char *domain, const char *file, int line, const char *function,
                                     const char *expression);
gpointer __wrap_g_malloc(gsize bytes);
gpointer __wrap_g_malloc0(gsize bytes);
gpointer __wrap_g_malloc_n(gsize n, gsize size);
gpointer __wrap_g_malloc0_n(gsize n, gsize size);
gpointer __wrap_g_realloc(gpointer old, gsize bytes);
gpointer __wrap_g_realloc_n(gpointer old, gsize n, gsize size);

static void give_up(const char *bug)
{
    g_autofree char *message = g_strdup_printf("a bug of libcollsim: %s; allowed: to report it", bug);
    budget_abandon(message);
}

void __wrap_g_log(const gchar *domain, GLogLevelFlags level, const gchar *format, ...)
{
    va_list args;
    va_start(args, format);
    if (level & G_LOG_LEVEL_ERROR) {
        g_autofree char *bug = g_strdup_vprintf(format, args);
        give_up(bug);
        abort();
    }
    g_logv(domain, level, format, args);
    va_end(args);
}

void __wrap_g_assertion_message_expr(const char *domain, const char *file, int line, const char *function,
                                     const char *expression)
{
    g_autofree char *bug =
        g_strdup_printf("%s:%d: %s: %s does not hold", file, line, function, expression ? expression : "this place");
    (void)domain;
    give_up(bug);
    abort();
}

// Returns n * size; SIZE_MAX, which cannot be allocated, if that is too large.
static gsize product(gsize n, gsize size)
{
    gsize bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? G_MAXSIZE : bytes;
}

static gpointer allocated(gpointer memory, gsize bytes)
{
    if (!memory && bytes > 0)
        budget_exhausted(bytes);
    return memory;
}

gpointer __wrap_g_malloc(gsize bytes)
{
    return allocated(g_try_malloc(bytes), bytes);
}

gpointer __wrap_g_malloc0(gsize bytes)
{
    return allocated(g_try_malloc0(bytes), bytes);
}

gpointer __wrap_g_malloc_n(gsize n, gsize size)
{
    return __wrap_g_malloc(product(n, size));
}

gpointer __wrap_g_malloc0_n(gsize n, gsize size)
{
    return __wrap_g_malloc0(product(n, size));
}

gpointer __wrap_g_realloc(gpointer old, gsize bytes)
{
    return allocated(g_try_realloc(old, bytes), bytes);
}

gpointer __wrap_g_realloc_n(gpointer old, gsize n, gsize size)
{
    return __wrap_g_realloc(old, product(n, size));
}
