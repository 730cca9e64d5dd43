// collsim-explore, which `collsim explore` starts: the server of a page that answers while one drags. It is a program of its
// own so that no other command has to load an HTTP library.
//
//     collsim-explore COLLSIM COLLECTIVE PLATFORM P PER_NODE BYTES PORT BROWSER
//
// `collsim explore` has checked all words. PER_NODE, PORT and BROWSER are 0 for none.
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include "engine/schedule/parse.h"
#include "explore/explore_server.h"
#include <glib-unix.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 9 };

static gboolean stop(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_CONTINUE;
}

static void pages_gone(gpointer loop)
{
    fputs("collsim: the page was closed\n", stderr);
    g_main_loop_quit(loop);
}

// Prints how to see the page from the machine at which the user sits.
static void print_tunnel(guint port)
{
    const char *const connection = g_getenv("SSH_CONNECTION"); // client's address and port, server's address and port
    g_auto(GStrv) part = g_strsplit(connection ? connection : "", " ", -1);
    if (g_strv_length(part) != 4)
        return;
    g_autofree char *there = escape_terminal(part[2]), *user = escape_terminal(g_get_user_name());
    fprintf(stderr, "collsim: from your own machine: ssh -L %u:127.0.0.1:%u %s@%s\n", port, port, user, there);
}

// Opens a browser if there is a screen.
static void open_browser(ExploreServer *server)
{
    g_autofree char *opener =
        g_getenv("DISPLAY") || g_getenv("WAYLAND_DISPLAY") ? g_find_program_in_path("xdg-open") : NULL;
    if (!opener || g_getenv("SSH_CONNECTION"))
        return;
    g_autofree char *ticket = explore_server_ticket(server);
    char *argv[] = {opener, ticket, NULL};
    g_spawn_async(NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL);
}

static int serve(int n_words, char **word, GError **error)
{
    ExploreStart start = {0};
    int port, browser;
    if (n_words != WORDS || !number_int(word[4], 1, INT_MAX, &start.p) ||
        !number_int(word[5], 0, INT_MAX, &start.per_node) || !number_size(word[6], 0, SIZE_MAX, &start.m) ||
        !number_int(word[7], 0, UINT16_MAX, &port) || !number_int(word[8], 0, 1, &browser)) {
        bad_input(error, "collsim-explore is started by `collsim explore`");
        return 2;
    }
    if (!collective_parse(word[2], &start.collective, error))
        return 2;
    g_autoptr(GPtrArray) machines = explore_machines_new(word[3], error);
    ExploreJobs *const jobs = machines ? explore_jobs_new(word[1], error) : NULL;
    if (!jobs)
        return 2;
    ExploreServer *const server = explore_server_new((guint)port, jobs, machines, &start, error);
    if (server) {
        g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
        g_unix_signal_add(SIGINT, stop, loop);
        g_unix_signal_add(SIGTERM, stop, loop);
        g_unix_signal_add(SIGHUP, stop, loop);
        explore_server_watch(server, pages_gone, loop);
        printf("%s\n", explore_server_address(server));
        print_tunnel(explore_server_port(server));
        fflush(stdout); // last, so that a program that has read the address finds the line above, too
        if (browser)
            open_browser(server);
        fputs("collsim: Ctrl-C, or closing the page, ends it\n", stderr);
        g_main_loop_run(loop);
        explore_server_free(server);
    }
    explore_jobs_free(jobs);
    return server ? 0 : 2;
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    signal(SIGPIPE, SIG_IGN); // a worker may end while it is written to
    const int status = serve(argc, argv, &error);
    if (error) {
        g_autofree char *plain = escape_terminal(error->message);
        fprintf(stderr, "collsim: %s\n", plain);
    }
    return status;
}
