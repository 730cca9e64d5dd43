#include "explore/explore_server.h"
#include "base/error.h"
#include "explore/explore_reply.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum { GRACE_S = 3, BEAT_S = 10, MOST_QUERY = 4096 };

struct ExploreServer {
    SoupServer *soup;
    ExploreJobs *jobs;
    const GPtrArray *machines;
    ExploreStart start;
    guint port;
    char *token, *ticket, *address; // ticket: NULL if there is none, or it was used
    GPtrArray *open;                // of OpenPage
    guint beat, leaving;            // sources; 0 if there is none
    void (*gone)(gpointer user);
    gpointer user;
};

// A request that waits for a job.
typedef struct Waiting {
    SoupServerMessage *message;
    ExploreJob *job; // NULL once it has ended
    gulong handler;
    GSource *peer;    // see peer_watch
    gboolean picture; // the answer is the picture alone
} Waiting;

// A page that is open.
typedef struct OpenPage {
    ExploreServer *server;
    SoupServerMessage *message;
    gulong handler;
    GSource *peer;
} OpenPage;

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
        g_autofree char *name = g_strdup_printf("%s%s:%u", prefix, names[i], server->port);
        own |= g_ascii_strcasecmp(text, name) == 0;
    }
    return own;
}

// A hostile page can make a browser ask this server, also under another host's name (DNS rebinding). The browser then says
// so in one of these headers.
static gboolean is_from_here(const ExploreServer *server, SoupServerMessage *message)
{
    SoupMessageHeaders *const headers = soup_server_message_get_request_headers(message);
    const char *const host = soup_message_headers_get_one(headers, "Host"),
                      *const origin = soup_message_headers_get_one(headers, "Origin"),
                      *const site = soup_message_headers_get_one(headers, "Sec-Fetch-Site"),
                      *const mode = soup_message_headers_get_one(headers, "Sec-Fetch-Mode");
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

// ---- Peers ----------------------------------------------------------------------------------------------------------

// Returns a source that calls ended() when the browser closes the connection of a message, or sends more. libsoup does not look
// at the connection while the message waits for an answer.
static GSource *peer_watch(SoupServerMessage *message, GSocketSourceFunc ended, gpointer user)
{
    GSource *const source = g_socket_create_source(soup_server_message_get_socket(message), G_IO_IN | G_IO_HUP, NULL);
    g_source_set_callback(source, G_SOURCE_FUNC(ended), user, NULL);
    g_source_attach(source, NULL);
    return source;
}

static void peer_forget(GSource *source)
{
    g_source_destroy(source);
    g_source_unref(source);
}

// Returns TRUE if the connection is closed. A source also fires if there is something to read.
static gboolean peer_left(GSocket *socket)
{
    char byte;
    const ssize_t n = recv(g_socket_get_fd(socket), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

// ---- Views ----------------------------------------------------------------------------------------------------------

static void waiting_free(Waiting *x)
{
    if (x->peer)
        peer_forget(x->peer);
    g_signal_handler_disconnect(x->message, x->handler);
    g_object_unref(x->message);
    g_free(x);
}

static void answer_view(const ExploreAnswer *answer, gpointer data)
{
    Waiting *const x = data;
    explore_reply_answer(x->message, answer, x->picture);
    if (x->job)
        soup_server_message_unpause(x->message);
    waiting_free(x);
}

// Called if a message ends before its answer.
static void waiting_ended(SoupServerMessage *message, gpointer data)
{
    Waiting *const x = data;
    (void)message;
    explore_jobs_drop(x->job);
    waiting_free(x);
}

static gboolean waiting_left(GSocket *socket, GIOCondition condition, gpointer data)
{
    Waiting *const x = data;
    (void)condition;
    if (!peer_left(socket))
        return G_SOURCE_REMOVE; // the next request of the same connection
    explore_reply_error(x->message, SOUP_STATUS_CONFLICT, "nobody waits for it");
    soup_server_message_unpause(x->message);
    explore_jobs_drop(x->job);
    waiting_free(x);
    return G_SOURCE_REMOVE;
}

static void ask_view(ExploreServer *server, SoupServerMessage *message, ExploreView view, GHashTable *fields,
                     gboolean picture)
{
    g_auto(ExploreState) state = {0};
    g_autoptr(GError) error = NULL;
    ExploreLine *const line =
        explore_state_read(&state, server->machines, fields, &error) ? explore_line_new(&state, view, &error) : NULL;
    const char *const page = g_hash_table_lookup(fields, "page");
    if (!line || (picture && !line->picture)) {
        explore_reply_error(message, SOUP_STATUS_BAD_REQUEST, line ? "this view has no picture" : error->message);
        explore_line_free(line);
        return;
    }
    Waiting *const x = g_new0(Waiting, 1);
    *x = (Waiting){.message = g_object_ref(message), .picture = picture};
    x->handler = g_signal_connect(message, "finished", G_CALLBACK(waiting_ended), x);
    g_autofree char *own = page ? g_strdup(page) : g_strdup_printf("%p", (void *)message); // replaces nothing
    ExploreJob *const job = explore_jobs_run(server->jobs, own, view, line, answer_view, x);
    if (!job)
        return; // x has its answer
    x->job = job;
    x->peer = peer_watch(message, waiting_left, x);
    soup_server_message_pause(message);
}

// ---- Pages that are open --------------------------------------------------------------------------------------------

static gboolean leave(gpointer data)
{
    ExploreServer *const server = data;
    server->leaving = 0;
    server->gone(server->user);
    return G_SOURCE_REMOVE;
}

static void page_free(OpenPage *page)
{
    peer_forget(page->peer);
    g_signal_handler_disconnect(page->message, page->handler);
    g_object_unref(page->message);
    g_free(page);
}

// Forgets a page that is closed. One that is loaded again comes back in time.
static void page_closed(SoupServerMessage *message, gpointer data)
{
    OpenPage *const page = data;
    ExploreServer *const server = page->server;
    (void)message;
    g_ptr_array_remove(server->open, page);
    page_free(page);
    if (server->open->len == 0 && !server->leaving && server->gone)
        server->leaving = g_timeout_add_seconds(GRACE_S, leave, server);
}

static gboolean page_left(GSocket *socket, GIOCondition condition, gpointer data)
{
    OpenPage *const page = data;
    (void)condition;
    if (!peer_left(socket))
        return G_SOURCE_REMOVE;
    soup_message_body_complete(soup_server_message_get_response_body(page->message));
    soup_server_message_unpause(page->message);
    page_closed(page->message, page);
    return G_SOURCE_REMOVE;
}

// Writes a line to each open page, which fails where a browser has gone without a word.
static gboolean beat(gpointer data)
{
    ExploreServer *const server = data;
    for (guint i = 0; i < server->open->len; i++) {
        SoupServerMessage *const message = ((OpenPage *)server->open->pdata[i])->message;
        soup_message_body_append(soup_server_message_get_response_body(message), SOUP_MEMORY_STATIC, ":\n\n", 3);
        soup_server_message_unpause(message);
    }
    return G_SOURCE_CONTINUE;
}

// Answers with a stream of events that does not end while the page is open.
static void open_page(ExploreServer *server, SoupServerMessage *message)
{
    SoupMessageHeaders *const headers = soup_server_message_get_response_headers(message);
    soup_message_headers_set_encoding(headers, SOUP_ENCODING_CHUNKED);
    soup_message_headers_set_content_type(headers, "text/event-stream", NULL);
    soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
    soup_message_body_set_accumulate(soup_server_message_get_response_body(message), FALSE);
    soup_message_body_append(soup_server_message_get_response_body(message), SOUP_MEMORY_STATIC, ":\n\n", 3);
    OpenPage *const page = g_new0(OpenPage, 1);
    *page = (OpenPage){.server = server, .message = g_object_ref(message)};
    page->handler = g_signal_connect(message, "finished", G_CALLBACK(page_closed), page);
    page->peer = peer_watch(message, page_left, page);
    g_ptr_array_add(server->open, page);
    if (server->leaving)
        g_source_remove(server->leaving);
    server->leaving = 0;
}

// ---- Requests -------------------------------------------------------------------------------------------------------

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

static void answer_path(ExploreServer *server, SoupServerMessage *message, const char *path, GHashTable *fields)
{
    g_autoptr(GHashTable) none = g_hash_table_new(g_str_hash, g_str_equal);
    gboolean picture;
    const ExploreView view = view_of(path, &picture);
    if (view < N_EXPLORE_VIEWS)
        ask_view(server, message, view, fields ? fields : none, picture);
    else if (strcmp(path, "about") == 0)
        explore_reply_about(message, server->machines, &server->start);
    else if (strcmp(path, "open") == 0)
        open_page(server, message);
    else if (!explore_reply_file(message, path))
        explore_reply_error(message, SOUP_STATUS_NOT_FOUND, "collsim explore has no page of this name");
}

static void answer_request(SoupServer *soup, SoupServerMessage *message, const char *path, GHashTable *fields,
                           gpointer data)
{
    ExploreServer *const server = data;
    const char *const query = g_uri_get_query(soup_server_message_get_uri(message)), *rest;
    (void)soup;
    explore_reply_begin(message);
    if (!is_from_here(server, message)) {
        explore_reply_error(message, SOUP_STATUS_FORBIDDEN, "this server answers its own page only");
    } else if (server->ticket && *path == '/' && is_secret(path + 1, strlen(path + 1), server->ticket)) {
        g_clear_pointer(&server->ticket, g_free);
        soup_server_message_set_redirect(message, SOUP_STATUS_FOUND, server->address);
    } else if (!(rest = behind_token(server, path))) {
        explore_reply_error(message, SOUP_STATUS_FORBIDDEN, "the address lacks the token that collsim explore printed");
    } else if (soup_server_message_get_method(message) != SOUP_METHOD_GET) {
        explore_reply_error(message, SOUP_STATUS_METHOD_NOT_ALLOWED, "only GET is answered");
    } else if (query && strlen(query) > MOST_QUERY) {
        explore_reply_error(message, SOUP_STATUS_REQUEST_URI_TOO_LONG, "the request is too long");
    } else {
        answer_path(server, message, rest, fields);
    }
}

// ---- The server -----------------------------------------------------------------------------------------------------

ExploreServer *explore_server_new(guint port, ExploreJobs *jobs, const GPtrArray *machines, const ExploreStart *start,
                                  GError **error)
{
    ExploreServer *const server = g_new0(ExploreServer, 1);
    server->soup = soup_server_new("server-header", "collsim", NULL);
    server->jobs = jobs;
    server->machines = machines;
    server->start = *start;
    server->token = secret();
    server->open = g_ptr_array_new();
    soup_server_add_handler(server->soup, NULL, answer_request, server, NULL);
    g_autoptr(GError) failed = NULL;
    if (!soup_server_listen_local(server->soup, port, SOUP_SERVER_LISTEN_IPV4_ONLY, &failed)) {
        bad_input(error, "port %u of 127.0.0.1: %s; allowed: a port that is free, or no --port", port, failed->message);
        explore_server_free(server);
        return NULL;
    }
    GSList *const addresses = soup_server_get_uris(server->soup);
    server->port = (guint)g_uri_get_port(addresses->data);
    g_slist_free_full(addresses, (GDestroyNotify)g_uri_unref);
    server->address = g_strdup_printf("http://127.0.0.1:%u/%s/", server->port, server->token);
    server->beat = g_timeout_add_seconds(BEAT_S, beat, server);
    return server;
}

void explore_server_free(ExploreServer *server)
{
    if (server->beat)
        g_source_remove(server->beat);
    if (server->leaving)
        g_source_remove(server->leaving);
    while (server->open->len > 0)
        page_free(g_ptr_array_steal_index(server->open, server->open->len - 1));
    soup_server_disconnect(server->soup);
    g_object_unref(server->soup);
    g_ptr_array_unref(server->open);
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
    return server->port;
}

char *explore_server_ticket(ExploreServer *server)
{
    g_free(server->ticket);
    server->ticket = secret();
    return g_strdup_printf("http://127.0.0.1:%u/%s", server->port, server->ticket);
}

void explore_server_watch(ExploreServer *server, void (*gone)(gpointer user), gpointer user)
{
    server->gone = gone;
    server->user = user;
}
