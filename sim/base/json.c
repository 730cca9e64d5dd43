#include "base/json.h"
#include "base/error.h"
#include <string.h>

enum { MOST_LEVELS_OF_C = 32 };

typedef struct JsonReader {
    const char *at, *end;
    size_t line;
    gboolean as_c;
    char **why; // set once the text is refused
} JsonReader;

static void member_clear(void *member)
{
    JsonMember *m = member;
    g_free(m->name);
    json_free(m->value);
}

// Values nest as deeply as a file says, so they are not freed by recursion: children move to a list first.
void json_free(JsonNode *node)
{
    g_autoptr(GPtrArray) left = g_ptr_array_new();
    if (node)
        g_ptr_array_add(left, node);
    while (left->len > 0) {
        JsonNode *last = g_ptr_array_steal_index_fast(left, left->len - 1);
        for (guint i = 0; last->members && i < last->members->len; i++) {
            JsonMember *m = &g_array_index(last->members, JsonMember, i);
            if (m->value)
                g_ptr_array_add(left, g_steal_pointer(&m->value));
        }
        if (last->members)
            g_array_unref(last->members);
        g_free(last->text);
        g_free(last);
    }
}

const JsonMember *json_member(const JsonNode *object, const char *name)
{
    for (guint i = 0; object->kind == JSON_OBJECT && i < object->members->len; i++) {
        const JsonMember *m = &g_array_index(object->members, JsonMember, i);
        if (strcmp(m->name, name) == 0)
            return m;
    }
    return NULL;
}

// Refuses the text: `expected` is what should be here.
static gboolean refuse(JsonReader *r, const char *expected)
{
    if (r->at >= r->end) {
        *r->why = g_strdup_printf("it ends where %s should be", expected);
    } else {
        g_autofree char *word = g_strndup(r->at, MIN((size_t)(r->end - r->at), strcspn(r->at, " \t\r\n")));
        g_autofree char *shown = error_quote(word);
        *r->why = g_strdup_printf("%s stands where %s should be", shown, expected);
    }
    return FALSE;
}

static void step(JsonReader *r)
{
    r->line += *r->at == '\n';
    r->at++;
}

// Skips blanks and, in json-c, comments. Returns FALSE if a comment does not begin or end properly.
static gboolean skip_blanks(JsonReader *r)
{
    while (r->at < r->end) {
        if (strchr(r->as_c ? " \t\r\n\v\f" : " \t\r\n", *r->at)) {
            step(r);
        } else if (r->as_c && *r->at == '/' && r->at[1] == '/') {
            while (r->at < r->end && *r->at != '\n')
                step(r);
        } else if (r->as_c && *r->at == '/' && r->at[1] == '*') {
            const char *close = strstr(r->at + 2, "*/");
            const char *stop = close ? close + 2 : r->end;
            while (r->at < stop)
                step(r);
            if (!close)
                return refuse(r, "*/");
        } else {
            return TRUE;
        }
    }
    return TRUE;
}

// Reads the four hexadecimal digits of \uXXXX, which begin at `at`.
static gboolean hex(const JsonReader *r, const char *at, guint32 *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        if (at + i >= r->end || !g_ascii_isxdigit(at[i]))
            return FALSE;
        *out = *out * 16 + (guint32)g_ascii_xdigit_value(at[i]);
    }
    return TRUE;
}

// Reads what follows \u. json-parser refuses high surrogates without a partner; low ones become U+FFFD here.
static gboolean read_unicode(JsonReader *r, GString *s)
{
    guint32 c, low;
    if (!hex(r, r->at, &c))
        return refuse(r, "four hexadecimal digits");
    r->at += 4;
    const gboolean pair = r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u' && hex(r, r->at + 2, &low);
    if (!r->as_c && (c & 0xf800) == 0xd800 && !pair)
        return refuse(r, "the second half of a character");
    if (c >= 0xd800 && c < 0xdc00 && pair && low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
        r->at += 6;
    } else if (!r->as_c && (c & 0xf800) == 0xd800) {
        r->at += 6; // json-parser takes any second half
    }
    g_string_append_unichar(s, g_unichar_validate(c) ? c : 0xfffd);
    return TRUE;
}

static gboolean read_escape(JsonReader *r, GString *s)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    if (r->at >= r->end)
        return refuse(r, "the rest of a string");
    const char *known = strchr(from, *r->at);
    if (*r->at == 'u') {
        r->at++;
        return read_unicode(r, s);
    }
    if (r->as_c && !known && !strchr("\"\\/", *r->at))
        return refuse(r, "an escape that json-c knows");
    g_string_append_c(s, known ? to[known - from] : *r->at);
    step(r);
    return TRUE;
}

// Reads a string, at whose quote the text is. Returns NULL if it does not end; free with g_free.
static char *read_string(JsonReader *r)
{
    g_autoptr(GString) s = g_string_new("");
    const char quote = *r->at++;
    while (r->at < r->end && *r->at != quote) {
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, s))
                return NULL;
        } else {
            g_string_append_c(s, *r->at);
            step(r);
        }
    }
    if (r->at >= r->end) {
        refuse(r, "the end of a string");
        return NULL;
    }
    r->at++;
    return g_strdup(s->str);
}

// Reads a number. json-c takes any sequence of these characters here, because what uses it refuses numbers anyway.
static gboolean read_number(JsonReader *r, JsonNode *node)
{
    const char *start = r->at;
    if (r->as_c) {
        r->at += strspn(r->at, "0123456789.+-eE");
        node->kind = JSON_REAL;
        return TRUE;
    }
    r->at += *r->at == '-';
    const char *digits = r->at;
    r->at += strspn(r->at, "0123456789");
    if (*digits == '0' && r->at - digits > 1)
        return refuse(r, "a number without a leading 0");
    node->kind = JSON_INTEGER;
    const char *whole_end = r->at;
    if (*r->at == '.') {
        r->at++;
        const size_t n = strspn(r->at, "0123456789");
        if (whole_end == digits || n == 0)
            return refuse(r, "a digit");
        r->at += n;
        node->kind = JSON_REAL;
    }
    if (*r->at == 'e' || *r->at == 'E') {
        r->at++;
        r->at += *r->at == '+' || *r->at == '-';
        const size_t n = strspn(r->at, "0123456789");
        if (n == 0)
            return refuse(r, "a digit");
        r->at += n;
        node->kind = JSON_REAL;
    }
    for (const char *d = digits; d < whole_end && node->kind == JSON_INTEGER; d++)
        if (__builtin_mul_overflow(node->integer, 10, &node->integer) ||
            __builtin_add_overflow(node->integer, *d - '0', &node->integer))
            node->kind = JSON_REAL;
    if (*start == '-')
        node->integer = -node->integer;
    return TRUE;
}

static gboolean read_word(JsonReader *r, JsonNode *node)
{
    static const struct {
        const char *word;
        JsonKind kind;
        gboolean only_c;
    } words[] = {{"true", JSON_BOOL, FALSE}, {"false", JSON_BOOL, FALSE},   {"null", JSON_NULL, FALSE},
                 {"nan", JSON_REAL, TRUE},   {"infinity", JSON_REAL, TRUE}, {"-infinity", JSON_REAL, TRUE}};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        const size_t n = strlen(words[i].word);
        if (r->as_c ? g_ascii_strncasecmp(r->at, words[i].word, n) == 0
                    : !words[i].only_c && strncmp(r->at, words[i].word, n) == 0) {
            node->kind = words[i].kind;
            r->at += n;
            return TRUE;
        }
    }
    return FALSE;
}

// Reads a value that is not an array or an object, or the beginning of one of these.
static gboolean read_value(JsonReader *r, JsonNode *node)
{
    node->line = r->line;
    if (*r->at == '{' || *r->at == '[') {
        node->kind = *r->at == '{' ? JSON_OBJECT : JSON_ARRAY;
        node->members = g_array_new(FALSE, TRUE, sizeof(JsonMember));
        g_array_set_clear_func(node->members, member_clear);
        r->at++;
        return TRUE;
    }
    if (*r->at == '"' || (r->as_c && *r->at == '\'')) {
        node->kind = JSON_STRING;
        return (node->text = read_string(r)) != NULL;
    }
    if (read_word(r, node))
        return TRUE;
    if (g_ascii_isdigit(*r->at) || *r->at == '-')
        return read_number(r, node);
    return refuse(r, "a value");
}

static gboolean is_open(const JsonNode *node)
{
    return node->kind == JSON_OBJECT || node->kind == JSON_ARRAY;
}

// Reads the name of a member and the colon after it.
static gboolean read_name(JsonReader *r, JsonMember *member)
{
    member->line = r->line;
    if (*r->at != '"' && !(r->as_c && *r->at == '\''))
        return refuse(r, "a name in double quotes");
    if (!(member->name = read_string(r)) || !skip_blanks(r))
        return FALSE;
    if (r->at >= r->end || *r->at != ':')
        return refuse(r, "a colon");
    r->at++;
    return skip_blanks(r);
}

// Reads the next member of an array or an object into it. Sets *value to it, or to NULL if the container ends here.
static gboolean read_member(JsonReader *r, JsonNode *container, gboolean separated, JsonNode **value)
{
    *value = NULL;
    if (!skip_blanks(r))
        return FALSE;
    if (r->at < r->end && *r->at == (container->kind == JSON_OBJECT ? '}' : ']')) {
        r->at++;
        return TRUE;
    }
    if (!separated) {
        if (r->at >= r->end || *r->at != ',')
            return refuse(r, "a comma");
        r->at++;
        return read_member(r, container, TRUE, value);
    }
    JsonMember member = {NULL, r->line, NULL};
    if (container->kind == JSON_OBJECT && !read_name(r, &member)) {
        g_free(member.name);
        return FALSE;
    }
    *value = member.value = g_new0(JsonNode, 1);
    g_array_append_val(container->members, member);
    return read_value(r, *value);
}

// Reads all that is inside the root. `open` has the containers that have not ended, the innermost last.
static gboolean read_inside(JsonReader *r, JsonNode *root)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    gboolean separated = TRUE;
    if (is_open(root))
        g_ptr_array_add(open, root);
    while (open->len > 0) {
        JsonNode *value;
        if (!read_member(r, g_ptr_array_index(open, open->len - 1), separated, &value))
            return FALSE;
        if (value && r->as_c && open->len >= MOST_LEVELS_OF_C)
            return refuse(r, "less than 32 levels");
        separated = value && is_open(value);
        if (separated)
            g_ptr_array_add(open, value);
        else if (!value)
            g_ptr_array_set_size(open, (int)open->len - 1);
    }
    return TRUE;
}

JsonNode *json_parse(const char *text, size_t length, JsonDialect dialect, char **why, size_t *line)
{
    JsonReader r = {text, text + length, 1, dialect == JSON_AS_C, why};
    g_autoptr(JsonNode) root = g_new0(JsonNode, 1);
    *why = NULL;
    if (!r.as_c && g_str_has_prefix(text, "\357\273\277"))
        r.at += 3;
    gboolean good = skip_blanks(&r) && read_value(&r, root) && read_inside(&r, root);
    if (good && !r.as_c)
        good = skip_blanks(&r) && (r.at >= r.end || refuse(&r, "the end"));
    *line = r.line;
    if (good && r.as_c) {
        g_autofree char *unread = NULL;
        JsonReader behind = r;
        behind.why = &unread;
        root->more = !skip_blanks(&behind) || behind.at < behind.end ? behind.line : 0;
    }
    return good ? g_steal_pointer(&root) : NULL;
}
