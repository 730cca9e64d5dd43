#include "base/escape.h"
#include <string.h>

enum { NOT_UTF8 = 0x80 }; // stands for a byte that is not UTF-8; this value is a control character itself

// Takes the next character of the text. *text must not be at its end.
static gunichar take(const char **text)
{
    const gunichar c = g_utf8_get_char_validated(*text, -1);
    const gboolean valid = c != (gunichar)-1 && c != (gunichar)-2;
    *text = valid ? g_utf8_next_char(*text) : *text + 1;
    return valid ? c : NOT_UTF8;
}

static gboolean is_control(gunichar c)
{
    return c < 0x20 || (c >= 0x7f && c <= 0x9f);
}

// Returns TRUE for the characters that turn the direction of writing. They can make a line read differently from what
// it is.
static gboolean turns_text(gunichar c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *escape_terminal(const char *text)
{
    GString *const s = g_string_new(NULL);
    while (text && *text) {
        const gunichar c = take(&text);
        g_string_append_unichar(s, is_control(c) || turns_text(c) ? '?' : c);
    }
    return g_string_free(s, FALSE);
}

char *escape_line(const char *text)
{
    g_autofree char *line = g_strstrip(g_strdup(text ? text : ""));
    for (char *c = line; *c; c++)
        if (g_ascii_isspace(*c))
            *c = ' ';
    return escape_terminal(line);
}

char *escape_xml(const char *text)
{
    GString *const s = g_string_new(NULL);
    while (text && *text) {
        const gunichar c = take(&text);
        if (c == '&')
            g_string_append(s, "&amp;");
        else if (c == '<')
            g_string_append(s, "&lt;");
        else if (c == '>')
            g_string_append(s, "&gt;");
        else if (c == '"')
            g_string_append(s, "&quot;");
        else if (c == '\'')
            g_string_append(s, "&#39;"); // HTML 4 does not know &apos;
        else if (c != '\t' && c != '\n' && c != '\r' && (is_control(c) || c == 0xfffe || c == 0xffff))
            g_string_append_unichar(s, 0xfffd);
        else
            g_string_append_unichar(s, c);
    }
    return g_string_free(s, FALSE);
}

char *escape_dot(const char *text)
{
    GString *const s = g_string_new(NULL);
    while (text && *text) {
        const gunichar c = take(&text);
        if (c == '"' || c == '\\')
            g_string_append_c(s, '\\');
        if (c == '\n')
            g_string_append(s, "\\n");
        else
            g_string_append_unichar(s, is_control(c) ? ' ' : c);
    }
    return g_string_free(s, FALSE);
}

// Returns FALSE for the characters that are invalid in an svg.
static gboolean is_drawn(gunichar c)
{
    return !is_control(c) && c != 0xfffe && c != 0xffff;
}

char *escape_gnuplot(const char *text)
{
    GString *const s = g_string_new("'");
    while (text && *text) {
        const gunichar c = take(&text);
        if (c == '\'')
            g_string_append(s, "'.\"\\047\".'");
        else
            g_string_append_unichar(s, is_drawn(c) ? c : ' ');
    }
    g_string_append_c(s, '\'');
    return g_string_free(s, FALSE);
}

char *escape_csv(const char *text)
{
    if (!text || !strpbrk(text, ",\"\r\n"))
        return g_strdup(text ? text : "");
    GString *const s = g_string_new("\"");
    for (; *text; text++) {
        if (*text == '"')
            g_string_append_c(s, '"');
        g_string_append_c(s, *text);
    }
    g_string_append_c(s, '"');
    return g_string_free(s, FALSE);
}

char *escape_markdown(const char *text)
{
    GString *const s = g_string_new(NULL);
    gboolean after_word = FALSE; // the character before is a letter or a digit
    while (text && *text) {
        const gunichar c = take(&text);
        const gboolean inside = c == '_' && after_word && g_ascii_isalnum(*text);
        if (c == '&')
            g_string_append(s, "&amp;");
        else if (c == '<')
            g_string_append(s, "&lt;");
        else {
            if (c < 0x80 && strchr("\\`*_[]|~", (int)c) && !inside)
                g_string_append_c(s, '\\');
            g_string_append_unichar(s, is_control(c) ? ' ' : c);
        }
        after_word = g_unichar_isalnum(c);
    }
    return g_string_free(s, FALSE);
}

// The delimiters have one more backquote than the longest run of backquotes in the text. Only a bar needs a backslash,
// because Markdown cuts a table into cells before it looks for code.
char *escape_markdown_code(const char *text)
{
    GString *const s = g_string_new(NULL);
    size_t run = 0, longest = 0;
    while (text && *text) {
        const gunichar c = take(&text);
        run = c == '`' ? run + 1 : 0;
        longest = MAX(longest, run);
        if (c == '|')
            g_string_append_c(s, '\\');
        g_string_append_unichar(s, is_control(c) ? ' ' : c);
    }
    const char *const gap = longest ? " " : ""; // or a backquote at an end would join the fence
    g_autofree char *fence = g_strnfill(longest + 1, '`'), *code = g_string_free(s, FALSE);
    return g_strconcat(fence, gap, code, gap, fence, NULL);
}

char *escape_file_name(const char *text, GHashTable *used)
{
    enum { MAX_BYTES = 100 };
    g_autofree char *name = g_strndup(text && *text ? text : "_", MAX_BYTES);
    for (char *c = name; *c; c++)
        if ((!g_ascii_isalnum(*c) && !strchr("._-", *c)) || (c == name && *c == '.'))
            *c = '_';
    g_autofree char *found = g_strdup(name);
    for (int i = 2;; i++) {
        char *const key = g_ascii_strdown(found, -1); // some file systems are not case-sensitive
        if (g_hash_table_add(used, key))
            return g_steal_pointer(&found);
        g_free(found);
        found = g_strdup_printf("%s-%d", name, i);
    }
}

char *escape_json(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    GString *s = g_string_new(NULL);
    for (const char *c = valid; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_c(s, '\\');
        if ((unsigned char)*c < 0x20)
            g_string_append_printf(s, "\\u%04x", (unsigned)*c);
        else
            g_string_append_c(s, *c);
    }
    return g_string_free(s, FALSE);
}

char *escape_shell(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    const char *const word = text ? text : "";
    return *word && strspn(word, plain) == strlen(word) ? g_strdup(word) : g_shell_quote(word);
}
