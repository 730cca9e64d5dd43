#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/share.h"
#include "cli.h"
#include "engine/schedule/parse.h"
#include "machine/platform/platform.h"
#include "run/launch/launch_argv.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help_text[] = "Opens a page that answers while you drag: who wins where, times over the size,\n"
                                "what they consist of, and the rounds of an algorithm, for any ranks, size and\n"
                                "machine. What if the network had half the latency?\n"
                                "\n"
                                "  collsim explore\n"
                                "  collsim explore allreduce --platform lumi -p 64x48 -m 1M\n"
                                "  collsim explore bcast --port 8080 --no-browser\n"
                                "\n"
                                "The page comes from this program, on 127.0.0.1 alone, and loads nothing from\n"
                                "elsewhere. Its address, which is printed, has a random token: keep it to\n"
                                "yourself, since who has it can ask this program as you do. A browser is opened\n"
                                "where there is a screen. Over ssh a line says how to reach it from your own\n"
                                "machine. It ends with Ctrl-C, or when the last page is closed.\n"
                                "\n"
                                "Below each picture is the command that makes it. Times are those of hockney,\n"
                                "with all parameters at their defaults; `collsim best` finds better ones. At most\n"
                                "65,536 ranks and 1G bytes; a trace is of at most 256 ranks. While you drag, the\n"
                                "map has as many places as follow the hand.\n"
                                "docs/EXPLORE.md says what one sees, and what the limits are.";

static const char program[] = "collsim-explore";

// Returns the path of the server; NULL and an error if it was not built. Free with g_free.
static char *find_server(GError **error)
{
    g_autofree char *path = launch_place(program);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer(&path);
    if (share_origin() == SHARE_PACKAGED)
        bad_input(error, "%s is missing; install the package %s", path, program);
    else
        bad_input(error, "%s is missing; install libmicrohttpd (Debian: libmicrohttpd-dev), then %s", path,
                  share_origin() == SHARE_INSTALLED ? "repeat make install" : "make");
    return NULL;
}

// Becomes the server. Returns only if that fails.
static gboolean start(const char *server, const char *const *words, GError **error)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_ptr_array_add(argv, (gpointer)(uintptr_t)server);
    g_ptr_array_add(argv, self ? self : (gpointer)(uintptr_t) "collsim");
    for (; *words; words++)
        g_ptr_array_add(argv, (gpointer)(uintptr_t)*words);
    g_ptr_array_add(argv, NULL);
    fflush(stdout);
    execv(server, (char **)argv->pdata);
    return bad_input(error, "%s: %s; allowed: a program that can be started", server, g_strerror(errno));
}

int cmd_explore(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *port_text = NULL;
    gboolean no_browser = FALSE;
    const GOptionEntry entries[] = {
        ENTRY_STRING("ranks", 'p', o.ranks, "ranks to begin with, or NxK (default 64)", "P"),
        ENTRY_PER_NODE(o.per_node),
        ENTRY_STRING("bytes", 'm', o.sizes, "size to begin with (default 64K)", "BYTES"),
        ENTRY_PLATFORM(o.platform),
        ENTRY_STRING("port", 0, port_text, "listen on port N (default: any that is free)", "N"),
        {"no-browser", 0, 0, G_OPTION_ARG_NONE, &no_browser, "print the address, and open no browser", NULL},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    size_t port = 0, m = 64 << 10;
    if (!options_parse(argc, argv, "[COLLECTIVE]", help_text, entries, 0, 1, &words, error) ||
        !collective_parse(words[0] ? words[0] : "allreduce", &r.question.collective, error) ||
        !ask_ranks(o.ranks ? o.ranks : "64", o.per_node, NULL, &r, error) ||
        !options_number("-m", o.sizes, 0, 1 << 30, &m, error) ||
        !options_number("--port", port_text, 1, 65535, &port, error))
        return 2;
    const size_t p = g_array_index(r.question.ranks, size_t, 0);
    if (r.question.ranks->len > 1 || p > 1 << 16)
        return bad_input(error, "-p %s; allowed: one number, 1 .. 65536", o.ranks) ? 0 : 2;
    const char *const name = o.platform ? o.platform : PLATFORM_DEFAULT;
    g_autoptr(Platform) platform = ask_platform(name, error);
    g_autofree char *server = platform ? find_server(error) : NULL;
    if (!server)
        return 2;
    const gboolean file = strchr(name, '/') || g_str_has_suffix(name, ".ini");
    g_autofree char *ranks = g_strdup_printf("%zu", p), *per_node = g_strdup_printf("%d", request_per_node(&r, 0)),
                    *bytes = g_strdup_printf("%zu", m), *at = g_strdup_printf("%zu", port);
    const char *const rest[] = {collectives[r.question.collective].name,
                                file ? name : platform->name,
                                ranks,
                                per_node,
                                bytes,
                                at,
                                no_browser ? "0" : "1",
                                NULL};
    return start(server, rest, error) ? 0 : 2;
}
