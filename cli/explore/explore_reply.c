#include "explore/explore_reply.h"
#include "base/escape.h"
#include "explore/explore_files.h"
#include <string.h>

// Gives a response the headers that all have, and its type unless that is NULL.
static ExploreReply reply(guint status, const char *type, struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        // The page loads nothing from elsewhere and runs no script but its own. gnuplot's pictures have attributes of style.
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; "
         "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"}, // the address has the token
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"Server", "collsim"},
        {"Connection", "close"}, // so that whoever waits for an answer sends nothing more: see peer_watch
    };
    for (guint i = 0; i < G_N_ELEMENTS(headers); i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (type)
        MHD_add_response_header(response, "Content-Type", type);
    return (ExploreReply){.status = status, .response = response};
}

static ExploreReply reply_bytes(guint status, const char *type, const void *bytes, size_t length,
                                enum MHD_ResponseMemoryMode mode)
{
    return reply(status, type, MHD_create_response_from_buffer(length, (void *)bytes, mode));
}

static ExploreReply reply_json(guint status, const GString *text)
{
    return reply_bytes(status, "application/json", text->str, text->len, MHD_RESPMEM_MUST_COPY);
}

ExploreReply explore_reply_error(guint status, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1); // it may quote the request
    g_autofree char *escaped = escape_json(valid);
    g_autoptr(GString) body = g_string_new(NULL);
    g_string_printf(body, "{\"error\":\"%s\"}\n", escaped);
    return reply_json(status, body);
}

static void add_field(GString *to, const char *name, const char *text, size_t length)
{
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
    g_autofree char *escaped = escape_json(valid);
    g_string_append_printf(to, ",\"%s\":\"%s\"", name, escaped);
}

static void add_bytes(GString *to, const char *name, GBytes *bytes)
{
    gsize length;
    const char *const data = g_bytes_get_data(bytes, &length);
    add_field(to, name, data ? data : "", length);
}

ExploreReply explore_reply_answer(const ExploreAnswer *answer, gboolean picture)
{
    enum { UNPROCESSABLE = 422 }; // its name depends on the version of libmicrohttpd
    static const guint status[] = {MHD_HTTP_OK, UNPROCESSABLE, MHD_HTTP_CONFLICT, MHD_HTTP_SERVICE_UNAVAILABLE};
    if (picture && answer->picture) {
        gsize length;
        const void *const data = g_bytes_get_data(answer->picture, &length);
        return reply_bytes(MHD_HTTP_OK, "image/svg+xml", data, length, MHD_RESPMEM_MUST_COPY);
    }
    g_autofree char *line = escape_json(answer->line);
    g_autoptr(GString) body = g_string_new(NULL);
    g_string_printf(body, "{\"line\":\"%s\"", line);
    if (answer->end == EXPLORE_DONE)
        g_string_append_printf(body, ",\"ms\":%" G_GINT64_FORMAT, answer->took_us / 1000);
    if (answer->printed)
        add_bytes(body, "printed", answer->printed);
    if (answer->picture)
        add_bytes(body, "svg", answer->picture);
    if (answer->end != EXPLORE_DONE) {
        const char *const error = answer->end == EXPLORE_REPLACED ? "a newer request has taken its place"
                                  : answer->end == EXPLORE_BUSY   ? "too many requests wait"
                                                                  : answer->error;
        add_field(body, "error", error, strlen(error));
    }
    g_string_append(body, "}\n");
    return reply_json(status[answer->end], body);
}

ExploreReply explore_reply_about(const GPtrArray *machines, const ExploreStart *start)
{
    g_autoptr(GString) body = g_string_new("{\"collectives\":{");
    for (int c = 0; c < N_COLLECTIVES; c++) {
        gboolean any = FALSE;
        g_string_append_printf(body, "%s\"%s\":[", c ? "," : "", collectives[c].name);
        for (int i = 0; i < n_algorithms; i++)
            if (explore_offers(algorithms[i], (Collective)c)) {
                g_string_append_printf(body, "%s\"%s\"", any ? "," : "", algorithms[i]->name);
                any = TRUE;
            }
        g_string_append_c(body, ']');
    }
    g_string_append(body, "},\"machines\":");
    explore_machines_json(machines, body);
    g_string_append_printf(body, ",\"start\":{\"c\":\"%s\",\"p\":%d,\"k\":%d,\"m\":%zu}}\n",
                           collectives[start->collective].name, start->p, start->per_node, start->m);
    return reply_json(MHD_HTTP_OK, body);
}

ExploreReply explore_reply_file(const char *name)
{
    for (const ExploreFile *file = explore_files; file->name; file++)
        if (strcmp(file->name, name) == 0)
            return reply_bytes(MHD_HTTP_OK, file->type, file->begin, (size_t)(file->end - file->begin),
                               MHD_RESPMEM_PERSISTENT);
    return explore_reply_error(MHD_HTTP_NOT_FOUND, "collsim explore has no page of this name");
}

ExploreReply explore_reply_address(const char *address)
{
    const ExploreReply to = reply_bytes(MHD_HTTP_FOUND, NULL, "", 0, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(to.response, "Location", address);
    return to;
}

ExploreReply explore_reply_events(MHD_ContentReaderCallback read, gpointer user)
{
    enum { BLOCK = 64 };
    return reply(MHD_HTTP_OK, "text/event-stream",
                 MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read, user, NULL));
}
