#include "selection_walk.h"
#include <string.h>

JsonNode *walk_read(const char *text)
{
    g_autofree char *why = NULL;
    size_t line;
    JsonNode *tree = json_parse(text, strlen(text), JSON_AS_C, &why, &line);
    if (!tree)
        g_error("line %zu: %s", line, why);
    return tree;
}

// Returns TRUE if the key is `name` with a comparison that holds for the value.
static gboolean compares(const char *key, const char *name, gint64 value)
{
    const size_t n = strlen(name);
    if (strncmp(key, name, n) != 0)
        return FALSE;
    if (strncmp(key + n, "<=", 2) == 0)
        return value <= g_ascii_strtoll(key + n + 2, NULL, 10);
    return strcmp(key + n, "=any") == 0;
}

static gboolean answers(const char *key, const char *name, gboolean yes)
{
    g_autofree char *text = g_strdup_printf("%s=%s", name, yes ? "yes" : "no");
    return strcmp(key, text) == 0;
}

static gboolean equals(const char *key, const char *name, const char *value)
{
    g_autofree char *text = g_strdup_printf("%s=%s", name, value);
    return strcmp(key, text) == 0;
}

static gboolean holds(const char *key, const WalkCall *c)
{
    int pow2 = 1;
    while (2 * pow2 <= c->p)
        pow2 *= 2;
    if (strcmp(key, "comm_size=pow2") == 0)
        return pow2 == c->p;
    if (strcmp(key, "count<pow2") == 0)
        return c->count < pow2;
    return equals(key, "collective", c->collective) || equals(key, "comm_type", c->inter ? "inter" : "intra") ||
           equals(key, "comm_hierarchy", c->hierarchy) || strcmp(key, "comm_hierarchy=any") == 0 ||
           compares(key, "comm_size", c->p) || compares(key, "avg_msg_size", c->average) ||
           compares(key, "total_msg_size", c->total) || compares(key, "count", c->count) ||
           answers(key, "is_node_consecutive", c->consecutive) || answers(key, "is_sendbuf_inplace", c->in_place) ||
           answers(key, "is_block_regular", c->regular) || answers(key, "is_commutative", c->commutative) ||
           answers(key, "is_op_built_in", c->built_in);
}

char *walk_find(const JsonNode *tree, const WalkCall *call)
{
    static const char leaf[] = "algorithm=";
    guint i = 0;
    while (i < tree->members->len) {
        const JsonMember *member = &g_array_index(tree->members, JsonMember, i++);
        if (g_str_has_prefix(member->name, leaf)) {
            g_autoptr(GString) s = g_string_new(member->name + strlen(leaf));
            for (guint k = 0; k < member->value->members->len; k++)
                g_string_append_printf(s, " %s", g_array_index(member->value->members, JsonMember, k).name);
            return g_strdup(s->str);
        }
        if (holds(member->name, call)) {
            tree = member->value;
            i = 0;
        }
    }
    return NULL;
}
