#include "explore/explore_reply.h"
#include "base/escape.h"
#include "explore/explore_files.h"
#include <string.h>

void explore_reply_begin(SoupServerMessage *message)
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
        {"Connection", "close"}, // libsoup 3.2 does not see that an idle connection was closed, and would keep it
    };
    SoupMessageHeaders *const to = soup_server_message_get_response_headers(message);
    for (guint i = 0; i < G_N_ELEMENTS(headers); i++)
        soup_message_headers_replace(to, headers[i][0], headers[i][1]);
}

static void reply_text(SoupServerMessage *message, guint status, const char *type, const GString *text)
{
    soup_server_message_set_status(message, status, NULL);
    soup_server_message_set_response(message, type, SOUP_MEMORY_COPY, text->str, text->len);
}

void explore_reply_error(SoupServerMessage *message, guint status, const char *text)
{
    g_autofree char *escaped = escape_json(text);
    g_autoptr(GString) body = g_string_new(NULL);
    g_string_printf(body, "{\"error\":\"%s\"}\n", escaped);
    reply_text(message, status, "application/json", body);
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

void explore_reply_answer(SoupServerMessage *message, const ExploreAnswer *answer, gboolean picture)
{
    static const guint status[] = {SOUP_STATUS_OK, SOUP_STATUS_UNPROCESSABLE_ENTITY, SOUP_STATUS_CONFLICT,
                                   SOUP_STATUS_SERVICE_UNAVAILABLE};
    if (picture && answer->picture) {
        gsize length;
        const char *const data = g_bytes_get_data(answer->picture, &length);
        soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
        soup_server_message_set_response(message, "image/svg+xml", SOUP_MEMORY_COPY, data, length);
        return;
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
    reply_text(message, status[answer->end], "application/json", body);
}

void explore_reply_about(SoupServerMessage *message, const GPtrArray *machines, const ExploreStart *start)
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
    reply_text(message, SOUP_STATUS_OK, "application/json", body);
}

gboolean explore_reply_file(SoupServerMessage *message, const char *name)
{
    for (const ExploreFile *file = explore_files; file->name; file++)
        if (strcmp(file->name, name) == 0) {
            soup_server_message_set_status(message, SOUP_STATUS_OK, NULL);
            soup_server_message_set_response(message, file->type, SOUP_MEMORY_STATIC, file->begin,
                                             (gsize)(file->end - file->begin));
            return TRUE;
        }
    return FALSE;
}
