#include "explore/explore_daemon.h"
#include "base/error.h"
#include <arpa/inet.h>
#include <errno.h>
#include <unistd.h>

// A connection on which nothing happens for so long is closed, unless it is suspended. libmicrohttpd 0.9.75 does not
// see that one was closed in the middle of a request.
enum { IDLE_S = 20 };

// The source is what runs the daemon.
struct ExploreDaemon {
    GSource source;
    struct MHD_Daemon *http;
    gpointer polled;
    gboolean due; // a connection was resumed, which libmicrohttpd sees only when it is called
    guint port;
};

// Returns TRUE if there is something to do at once.
static gboolean prepare(GSource *source, gint *timeout)
{
    ExploreDaemon *const daemon = (ExploreDaemon *)source;
    MHD_UNSIGNED_LONG_LONG ms = 0;
    const gboolean any = daemon->due || MHD_get_timeout(daemon->http, &ms) == MHD_YES;
    *timeout = any ? (gint)MIN(ms, G_MAXINT) : -1;
    return *timeout == 0;
}

static gboolean check(GSource *source)
{
    gint timeout;
    return g_source_query_unix_fd(source, ((ExploreDaemon *)source)->polled) || prepare(source, &timeout);
}

static gboolean dispatch(GSource *source, GSourceFunc unused, gpointer user)
{
    ExploreDaemon *const daemon = (ExploreDaemon *)source;
    (void)unused;
    (void)user;
    daemon->due = FALSE;
    MHD_run(daemon->http);
    return G_SOURCE_CONTINUE;
}

// Returns a socket that listens on a port of 127.0.0.1, and the port. Returns -1, and errno says why, if it cannot.
static int listening(guint port, guint *got)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((guint16)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *const name = (struct sockaddr *)&at;
    socklen_t length = sizeof at;
    const int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 && bind(fd, name, length) == 0 &&
        listen(fd, SOMAXCONN) == 0 && getsockname(fd, name, &length) == 0) {
        *got = ntohs(at.sin_port);
        return fd;
    }
    const int failed = errno;
    if (fd >= 0)
        close(fd);
    errno = failed;
    return -1;
}

ExploreDaemon *explore_daemon_new(guint port, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback ended,
                                  gpointer user, GError **error)
{
    static GSourceFuncs calls = {.prepare = prepare, .check = check, .dispatch = dispatch};
    guint got;
    const int fd = listening(port, &got);
    if (fd < 0) {
        bad_input(error, "port %u of 127.0.0.1: %s; allowed: a port that is free, or no --port", port,
                  g_strerror(errno));
        return NULL;
    }
    ExploreDaemon *const daemon = (ExploreDaemon *)g_source_new(&calls, sizeof *daemon);
    daemon->port = got;
    daemon->http = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, user,
                                    MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, ended, user,
                                    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_END);
    g_assert(daemon->http);
    const union MHD_DaemonInfo *const info = MHD_get_daemon_info(daemon->http, MHD_DAEMON_INFO_EPOLL_FD);
    daemon->polled = g_source_add_unix_fd(&daemon->source, info->epoll_fd, G_IO_IN);
    g_source_attach(&daemon->source, NULL);
    return daemon;
}

void explore_daemon_free(ExploreDaemon *daemon)
{
    g_source_destroy(&daemon->source);
    MHD_stop_daemon(daemon->http);
    g_source_unref(&daemon->source);
}

void explore_daemon_resume(ExploreDaemon *daemon, struct MHD_Connection *connection)
{
    MHD_resume_connection(connection);
    daemon->due = TRUE;
}

guint explore_daemon_port(const ExploreDaemon *daemon)
{
    return daemon->port;
}
