#include "explore/explore_server.h"
#include "explore/explore_daemon.h"
#include "explore/explore_reply.h"
#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum { GRACE_S = 3, BEAT_S = 10, MOST_QUERY = 4096 };

struct ExploreServer {
    ExploreDaemon *daemon;
    ExploreJobs *jobs;
    const GPtrArray *machines;
    ExploreStart start;
    char *token, *ticket, *address; // ticket: NULL if there is none, or it was used
    GPtrArray *waiting;             // of ExploreRequest
    guint open;                     // pages
    guint beat, leaving;            // sources; 0 if there is none
    void (*gone)(gpointer user);
    gpointer user;
};

// A request, from its headers to the end of its answer. It waits while its job runs. The answer of a page that is open is a
// stream, which waits for the next beat.
typedef struct ExploreRequest {
    ExploreServer *server;
    struct MHD_Connection *connection;
    ExploreReply reply; // its response is NULL while there is none
    ExploreJob *job;    // NULL if none runs
    GSource *peer;      // see peer_watch; NULL unless the request waits
    gboolean picture;   // the answer is the picture alone
    gboolean open;      // it is a page, which is open
    gboolean beat, end; // what the stream does next
} ExploreRequest;

// Returns 128 random bits as text. Free with g_free.
static char *secret(void)
{
    guint8 bits[16];
    GString *const text = g_string_new(NULL);
    while (getrandom(bits, sizeof bits, 0) != sizeof bits)
        ;
    for (guint i = 0; i < sizeof bits; i++)
        g_string_append_printf(text, "%02x", bits[i]);
    return g_string_free(text, FALSE);
}

// Compares in a time that does not depend on how much of the texts is equal.
static gboolean is_secret(const char *text, size_t length, const char *word)
{
    int differs = length != strlen(word);
    for (size_t i = 0; i < length && word[i]; i++)
        differs |= text[i] ^ word[i];
    return !differs;
}

// ---- Who may ask ----------------------------------------------------------------------------------------------------

// Returns TRUE if a text, without the prefix, is the server's own name and port.
static gboolean is_own(const ExploreServer *server, const char *text, const char *prefix)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    gboolean own = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_strdup_printf("%s%s:%u", prefix, names[i], explore_daemon_port(server->daemon));
        own |= g_ascii_strcasecmp(text, name) == 0;
    }
    return own;
}

// A hostile page can make a browser ask this server, also under another host's name (DNS rebinding). The browser then says
// so in one of these headers.
static gboolean is_from_here(const ExploreServer *server, struct MHD_Connection *connection)
{
    const char *const host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                      *const origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
                      *const site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
                      *const mode = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Mode");
    const gboolean cross = site && strcmp(site, "same-origin") && strcmp(site, "none");
    return host && is_own(server, host, "") && (!origin || is_own(server, origin, "http://")) &&
           (!cross || (mode && !strcmp(mode, "navigate"))); // a link to the page, which still needs the token
}

// Returns what follows the token in a path; NULL if the token is wrong.
static const char *behind_token(const ExploreServer *server, const char *path)
{
    const char *const slash = *path == '/' ? strchr(path + 1, '/') : NULL;
    return slash && is_secret(path + 1, (size_t)(slash - path - 1), server->token) ? slash + 1 : NULL;
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

// Goes on with a request that waits.
static void wake(ExploreRequest *x)
{
    g_ptr_array_remove_fast(x->server->waiting, x);
    g_source_destroy(x->peer);
    g_clear_pointer(&x->peer, g_source_unref);
    explore_daemon_resume(x->server->daemon, x->connection);
}

// Ends a request whose browser has closed the connection. A source also fires if there is something to read.
static gboolean peer_left(gint fd, GIOCondition condition, gpointer data)
{
    ExploreRequest *const x = data;
    char byte;
    const ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    (void)condition;
    if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
        return G_SOURCE_REMOVE;
    if (x->job)
        explore_jobs_drop(g_steal_pointer(&x->job));
    if (!x->open)
        x->reply = explore_reply_error(MHD_HTTP_CONFLICT, "nobody waits for it");
    x->end = TRUE;
    wake(x);
    return G_SOURCE_REMOVE;
}

// Sees when the browser closes the connection of a request that waits, at which libmicrohttpd does not look meanwhile.
static void peer_watch(ExploreRequest *x)
{
    const union MHD_ConnectionInfo *const info =
        MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    x->peer = g_unix_fd_source_new(info->connect_fd, G_IO_IN | G_IO_HUP);
    g_source_set_callback(x->peer, G_SOURCE_FUNC(peer_left), x, NULL);
    g_source_attach(x->peer, NULL);
}

static void sleep_until_woken(ExploreRequest *x)
{
    MHD_suspend_connection(x->connection);
    g_ptr_array_add(x->server->waiting, x);
    peer_watch(x);
}

// ---- Views ----------------------------------------------------------------------------------------------------------

static void answer_view(const ExploreAnswer *answer, gpointer data)
{
    ExploreRequest *const x = data;
    x->reply = explore_reply_answer(answer, x->picture);
    x->job = NULL;
    if (x->peer)
        wake(x);
}

// Makes a job that answers a request, or gives it its reply.
static void ask_view(ExploreRequest *x, ExploreView view, GHashTable *fields)
{
    ExploreServer *const server = x->server;
    g_auto(ExploreState) state = {0};
    g_autoptr(GError) error = NULL;
    ExploreLine *const line =
        explore_state_read(&state, server->machines, fields, &error) ? explore_line_new(&state, view, &error) : NULL;
    const char *const page = g_hash_table_lookup(fields, "page");
    if (!line || (x->picture && !line->picture)) {
        x->reply = explore_reply_error(MHD_HTTP_BAD_REQUEST, line ? "this view has no picture" : error->message);
        explore_line_free(line);
        return;
    }
    g_autofree char *own = page ? g_strdup(page) : g_strdup_printf("%p", (void *)x); // replaces nothing
    x->job = explore_jobs_run(server->jobs, own, view, line, answer_view, x);
}

// ---- Pages that are open --------------------------------------------------------------------------------------------

static gboolean leave(gpointer data)
{
    ExploreServer *const server = data;
    server->leaving = 0;
    server->gone(server->user);
    return G_SOURCE_REMOVE;
}

// Writes a line to each open page, which fails where a browser has gone without a word.
static gboolean beat(gpointer data)
{
    ExploreServer *const server = data;
    for (guint i = server->waiting->len; i-- > 0;) { // wake() puts the last one, which was seen, in the place of one
        ExploreRequest *const x = server->waiting->pdata[i];
        x->beat = x->open;
        if (x->open)
            wake(x);
    }
    return G_SOURCE_CONTINUE;
}

// Writes what the stream of a page has next, or waits for it.
static ssize_t page_read(void *data, uint64_t at, char *to, size_t most)
{
    static const char line[] = {':', '\n', '\n'};
    ExploreRequest *const x = data;
    (void)at;
    g_assert(most >= sizeof line);
    if (x->end)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!x->beat) {
        sleep_until_woken(x);
        return 0;
    }
    x->beat = FALSE;
    memcpy(to, line, sizeof line);
    return sizeof line;
}

// Answers with a stream of events that does not end while the page is open.
static ExploreReply open_page(ExploreRequest *x)
{
    x->open = x->beat = TRUE;
    x->server->open++;
    if (x->server->leaving)
        g_source_remove(x->server->leaving);
    x->server->leaving = 0;
    return explore_reply_events(page_read, x);
}

// ---- Requests -------------------------------------------------------------------------------------------------------

// The fields of a request, and whether one of them has a zero.
typedef struct Fields {
    GHashTable *table; // char * by char *, which libmicrohttpd owns
    size_t length;
    gboolean zero;
} Fields;

static enum MHD_Result add_field(void *data, enum MHD_ValueKind kind, const char *name, size_t n_name,
                                 const char *value, size_t n_value)
{
    Fields *const fields = data;
    (void)kind;
    fields->length += n_name + n_value;
    fields->zero |= strlen(name) != n_name || (value && strlen(value) != n_value);
    g_hash_table_insert(fields->table, (char *)name, (char *)(value ? value : ""));
    return MHD_YES;
}

// Returns the view that a path names, and in *picture whether ".svg" follows the name; N_EXPLORE_VIEWS if it names none.
static ExploreView view_of(const char *path, gboolean *picture)
{
    for (ExploreView view = 0; view < N_EXPLORE_VIEWS; view++) {
        const char *const rest = g_str_has_prefix(path, explore_views[view]) ? path + strlen(explore_views[view]) : "?";
        *picture = strcmp(rest, ".svg") == 0;
        if (*rest == '\0' || *picture)
            return view;
    }
    return N_EXPLORE_VIEWS;
}

// Answers a request for a path behind the token, or makes a job that does.
static void answer_path(ExploreRequest *x, const char *path)
{
    ExploreServer *const server = x->server;
    g_autoptr(GHashTable) table = g_hash_table_new(g_str_hash, g_str_equal);
    Fields fields = {.table = table};
    MHD_get_connection_values_n(x->connection, MHD_GET_ARGUMENT_KIND, add_field, &fields);
    const ExploreView view = view_of(path, &x->picture);
    if (fields.length > MOST_QUERY)
        x->reply = explore_reply_error(MHD_HTTP_URI_TOO_LONG, "the request is too long");
    else if (fields.zero)
        x->reply = explore_reply_error(MHD_HTTP_BAD_REQUEST, "the request has a zero; allowed: text");
    else if (view < N_EXPLORE_VIEWS)
        ask_view(x, view, table);
    else if (strcmp(path, "about") == 0)
        x->reply = explore_reply_about(server->machines, &server->start);
    else if (strcmp(path, "open") == 0)
        x->reply = open_page(x);
    else
        x->reply = explore_reply_file(path);
}

// Gives a request its reply if nothing behind the token answers it.
static void answer_others(ExploreRequest *x, const char *path, const char *method)
{
    ExploreServer *const server = x->server;
    if (!is_from_here(server, x->connection)) {
        x->reply = explore_reply_error(MHD_HTTP_FORBIDDEN, "this server answers its own page only");
    } else if (server->ticket && *path == '/' && is_secret(path + 1, strlen(path + 1), server->ticket)) {
        g_clear_pointer(&server->ticket, g_free);
        x->reply = explore_reply_address(server->address);
    } else if (!behind_token(server, path)) {
        x->reply = explore_reply_error(MHD_HTTP_FORBIDDEN, "the address lacks the token that collsim explore printed");
    } else if (strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
        x->reply = explore_reply_error(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is answered");
    }
}

// Called when the headers of a request are there, when something behind them is, when that has ended, and when a request that
// waited goes on.
static enum MHD_Result answer_request(void *data, struct MHD_Connection *connection, const char *path,
                                      const char *method, const char *version, const char *body, size_t *n_body,
                                      void **request)
{
    ExploreRequest *x = *request;
    (void)version;
    (void)body;
    if (!x) {
        *request = x = g_new0(ExploreRequest, 1);
        *x = (ExploreRequest){.server = data, .connection = connection};
        answer_others(x, path, method);
        if (!x->reply.response)
            return MHD_YES;
    } else if (*n_body) {
        *n_body = 0; // nobody reads it
        return MHD_YES;
    } else if (!x->reply.response) {
        answer_path(x, behind_token(x->server, path));
    }
    if (x->reply.response)
        return MHD_queue_response(connection, x->reply.status, x->reply.response);
    sleep_until_woken(x);
    return MHD_YES;
}

// Called when a request has ended, with its answer or without.
static void request_ended(void *data, struct MHD_Connection *connection, void **request,
                          enum MHD_RequestTerminationCode why)
{
    ExploreRequest *const x = *request;
    (void)data;
    (void)connection;
    (void)why;
    *request = NULL;
    if (!x)
        return;
    ExploreServer *const server = x->server;
    if (x->open && --server->open == 0 && !server->leaving && server->gone) // a page that is loaded again comes back
        server->leaving = g_timeout_add_seconds(GRACE_S, leave, server);
    if (x->reply.response)
        MHD_destroy_response(x->reply.response);
    g_free(x);
}

// ---- The server -----------------------------------------------------------------------------------------------------

ExploreServer *explore_server_new(guint port, ExploreJobs *jobs, const GPtrArray *machines, const ExploreStart *start,
                                  GError **error)
{
    ExploreServer *const server = g_new0(ExploreServer, 1);
    server->daemon = explore_daemon_new(port, answer_request, request_ended, server, error);
    if (!server->daemon) {
        g_free(server);
        return NULL;
    }
    server->jobs = jobs;
    server->machines = machines;
    server->start = *start;
    server->token = secret();
    server->address = g_strdup_printf("http://127.0.0.1:%u/%s/", explore_server_port(server), server->token);
    server->waiting = g_ptr_array_new();
    server->beat = g_timeout_add_seconds(BEAT_S, beat, server);
    return server;
}

void explore_server_free(ExploreServer *server)
{
    server->gone = NULL;
    while (server->waiting->len > 0) {
        ExploreRequest *const x = server->waiting->pdata[0];
        if (x->job)
            explore_jobs_drop(g_steal_pointer(&x->job));
        wake(x);
    }
    explore_daemon_free(server->daemon);
    if (server->leaving)
        g_source_remove(server->leaving);
    g_source_remove(server->beat);
    g_ptr_array_unref(server->waiting);
    g_free(server->token);
    g_free(server->ticket);
    g_free(server->address);
    g_free(server);
}

const char *explore_server_address(const ExploreServer *server)
{
    return server->address;
}

guint explore_server_port(const ExploreServer *server)
{
    return explore_daemon_port(server->daemon);
}

char *explore_server_ticket(ExploreServer *server)
{
    g_free(server->ticket);
    server->ticket = secret();
    return g_strdup_printf("http://127.0.0.1:%u/%s", explore_server_port(server), server->ticket);
}

void explore_server_watch(ExploreServer *server, void (*gone)(gpointer user), gpointer user)
{
    server->gone = gone;
    server->user = user;
}
