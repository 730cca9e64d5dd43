// The rules files in JSON that Open MPI's main branch reads (6.0 will). The library passes the text to json-parser; a
// text that this refuses is read in the text format. What is JSON, but no rules, is ignored. Source:
// coll_tuned_dynamic_file.c, opal_json.c and coll_base_util.c of main; read, not run.
#include "libraries/decide/rules.h"
#include "base/error.h"
#include "base/json.h"
#include <string.h>

typedef struct RulesJson {
    RulesFile *file;
    int sets;
    size_t lines[TUNED_COLLECTIVES]; // where the rules of a collective begin; 0 if there are none
} RulesJson;

// Ends the reading: the library ignores the file. `what` says what is wrong.
static gboolean ignore(RulesJson *r, size_t line, const char *what)
{
    rules_trap(r->file, TRAP_IGNORED, line, "the library ignores the whole file: %s", what);
    r->file->ignored = TRUE;
    return FALSE;
}

// Reports names of an object that the library does not ask for, and those that it does not reach because the name is
// there before. `known` ends in NULL.
static void check_names(RulesJson *r, const JsonNode *object, const char *const *known)
{
    for (guint i = 0; object->kind == JSON_OBJECT && i < object->members->len; i++) {
        const JsonMember *m = &g_array_index(object->members, JsonMember, i);
        g_autofree char *name = error_quote(m->name);
        if (!g_strv_contains(known, m->name))
            rules_trap(r->file, TRAP_UNREAD, m->line, "the library does not read %s%s", name,
                       strcmp(m->name, "segsize") == 0 ? "; a segment size is seg_size" : "");
        else if (json_member(object, m->name) != m)
            rules_trap(r->file, TRAP_UNREAD, m->line, "%s is there before, and the first one counts", name);
    }
}

// Reads an integer, "inf" as -1; *value keeps its value if the object lacks it. Returns FALSE if it is neither.
static gboolean read_integer(RulesJson *r, const JsonNode *object, const char *name, gint64 *value)
{
    const JsonMember *m = json_member(object, name);
    if (!m)
        return TRUE;
    if (m->value->kind == JSON_INTEGER) {
        *value = m->value->integer;
        return TRUE;
    }
    if (m->value->kind == JSON_STRING &&
        (g_str_has_prefix(m->value->text, "inf") || g_str_has_prefix(m->value->text, "Inf") ||
         g_str_has_prefix(m->value->text, "INF"))) {
        *value = -1;
        return TRUE;
    }
    g_autofree char *why = g_strdup_printf("%s is neither an integer nor \"inf\"", name);
    return ignore(r, m->line, why);
}

// Does the same with a field that the library keeps in 32 bits.
static gboolean read_int(RulesJson *r, const JsonNode *object, const char *name, int *value)
{
    gint64 wide = *value;
    if (!read_integer(r, object, name, &wide))
        return FALSE;
    *value = (int)wide;
    const JsonMember *m = json_member(object, name);
    if (m && (*value != wide || m->value->kind == JSON_STRING))
        rules_trap(r->file, TRAP_MISREAD, m->line, "%s does not fit into 32 bits and becomes %d", name, *value);
    return TRUE;
}

// Reads a message size. The library keeps it without a sign, so one below 0 is beyond all sizes.
static gboolean read_size(RulesJson *r, const JsonNode *object, const char *name, gint64 *value)
{
    const gint64 usual = *value;
    if (!read_integer(r, object, name, value))
        return FALSE;
    const JsonMember *m = json_member(object, name);
    if (m && m->value->kind == JSON_INTEGER && *value < 0)
        rules_trap(r->file, TRAP_MISREAD, m->line, "%s is below 0 and becomes larger than all sizes", name);
    *value = *value < 0 && *value != usual ? RULES_NO_LIMIT : *value;
    return TRUE;
}

// Reads the algorithm of a rule, by id or by name. An unknown one disables the rule.
static void read_algorithm(RulesJson *r, const JsonNode *object, LibraryRule *rule)
{
    const JsonMember *m = json_member(object, "alg");
    const gboolean name = m && m->value->kind == JSON_STRING;
    if (!m || (!name && m->value->kind != JSON_INTEGER)) {
        rules_trap(r->file, TRAP_ELSE, m ? m->line : object->line,
                   "a rule without an id or a name as \"alg\" runs the fixed decision");
        return;
    }
    const gboolean fixed = name ? strcmp(m->value->text, "ignore") == 0 : m->value->integer == 0;
    const LibraryAlgorithm *a = name ? tables_named(r->file->names, tuned_ours(rule->collective), m->value->text)
                                : m->value->integer > 0 && m->value->integer < G_MAXINT
                                    ? tables_tuned(r->file->names, rule->collective, (int)m->value->integer)
                                    : NULL;
    rule->id = a ? a->id : 0;
    if (a || fixed)
        return;
    g_autofree char *shown =
        name ? error_quote(m->value->text) : g_strdup_printf("%" G_GINT64_FORMAT, m->value->integer);
    rules_trap(r->file, TRAP_UNREAD, m->line, "%s has no algorithm %s in %s, so the rule is disabled",
               tuned_collectives[rule->collective].name, shown, r->file->library->title);
    rule->when.bytes = (RuleRange){1, 0};
    rule->disabled = TRUE;
}

// Reads one rule; `rule` has what its set says.
static gboolean read_rule(RulesJson *r, const JsonNode *object, LibraryRule rule)
{
    static const char *const known[] = {"msg_size_min", "msg_size_max", "faninout", "seg_size", "reqs", "alg", NULL};
    check_names(r, object, known);
    rule.when.bytes = (RuleRange){0, RULES_NO_LIMIT};
    rule.line = object->line;
    if (!read_size(r, object, "msg_size_min", &rule.when.bytes.first) ||
        !read_size(r, object, "msg_size_max", &rule.when.bytes.last) ||
        !read_int(r, object, "faninout", &rule.fanout) || !read_int(r, object, "seg_size", &rule.segment) ||
        !read_int(r, object, "reqs", &rule.max_requests))
        return FALSE;
    if (rule.when.bytes.first == RULES_NO_LIMIT && json_member(object, "msg_size_min"))
        rule.when.bytes = (RuleRange){1, 0};
    read_algorithm(r, object, &rule);
    g_array_append_val(r->file->rules, rule);
    return TRUE;
}

// Reads comm_rank_distribution. Returns FALSE if it is not a string.
static gboolean read_nodes(RulesJson *r, const JsonNode *object, LibraryRule *set)
{
    const JsonMember *m = json_member(object, "comm_rank_distribution");
    if (!m)
        return TRUE;
    if (m->value->kind != JSON_STRING)
        return ignore(r, m->line, "comm_rank_distribution is not a string");
    if (rules_set_nodes(set, m->value->text))
        return TRUE;
    g_autofree char *shown = error_quote(m->value->text);
    rules_trap(r->file, TRAP_MISREAD, m->line, "comm_rank_distribution %s is not known and is taken as any", shown);
    return TRUE;
}

// Reads an entry of a collective: the rules for a range of ranks.
static gboolean read_set(RulesJson *r, int collective, const JsonNode *object)
{
    static const char *const known[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules", NULL};
    LibraryRule set = {.collective = collective, .set = r->sets++, .line = object->line, .when = rule_all()};
    int first = 0, last = G_MAXINT;
    check_names(r, object, known);
    if (!read_int(r, object, "comm_size_min", &first) || !read_int(r, object, "comm_size_max", &last) ||
        !read_nodes(r, object, &set))
        return FALSE;
    set.when.ranks = (RuleRange){first, last == G_MAXINT ? RULES_NO_LIMIT : last};
    const JsonMember *rules = json_member(object, "rules");
    if (!rules)
        return ignore(r, object->line, "an entry has no \"rules\"");
    if (rules->value->kind != JSON_ARRAY)
        return ignore(r, rules->line, "\"rules\" is not an array");
    for (guint i = 0; i < rules->value->members->len; i++)
        if (!read_rule(r, g_array_index(rules->value->members, JsonMember, i).value, set))
            return FALSE;
    // What the rules leave is for the fixed decision, not for later entries.
    set.when.bytes = (RuleRange){0, RULES_NO_LIMIT};
    g_array_append_val(r->file->rules, set);
    return TRUE;
}

// The library forgets the rules that an earlier entry of the same collective has given.
static void forget(RulesJson *r, int collective, size_t line)
{
    GArray *rules = r->file->rules;
    if (r->lines[collective] > 0)
        rules_trap(r->file, TRAP_UNREAD, r->lines[collective], "the rules of %s are replaced by those of line %zu",
                   tuned_collectives[collective].name, line);
    r->lines[collective] = line;
    for (guint i = rules->len; i > 0; i--)
        if (g_array_index(rules, LibraryRule, i - 1).collective == collective)
            g_array_remove_index(rules, i - 1);
}

static gboolean read_collective(RulesJson *r, const JsonMember *member)
{
    const int collective = tuned_collective_read(member->name);
    g_autofree char *name = error_quote(member->name);
    g_autofree char *unknown = g_strdup_printf("there is no collective %s", name);
    g_autofree char *not_array = g_strdup_printf("%s is not an array of entries", name);
    if (collective < 0)
        return ignore(r, member->line, unknown);
    if (member->value->kind != JSON_ARRAY)
        return ignore(r, member->line, not_array);
    forget(r, collective, member->line);
    for (guint i = 0; i < member->value->members->len; i++)
        if (!read_set(r, collective, g_array_index(member->value->members, JsonMember, i).value))
            return FALSE;
    return TRUE;
}

static gboolean read_root(RulesJson *r, const JsonNode *root)
{
    // The library reads the first of these alone; its schema knows the others, but for comments.
    static const char *const known[] = {"collectives", "rule_file_version", "module", "$schema", "comment", NULL};
    const JsonMember *all = json_member(root, "collectives");
    if (!all)
        return ignore(r, root->line, "the field \"collectives\" is missing");
    if (all->value->kind != JSON_OBJECT)
        return ignore(r, all->line, "\"collectives\" is not an object");
    check_names(r, root, known);
    const JsonMember *comment = json_member(root, "comment");
    if (comment)
        rules_trap(r->file, TRAP_NOTE, comment->line,
                   "the library does not read 'comment', and its schema of rules files refuses it");
    for (guint i = 0; i < all->value->members->len; i++)
        if (!read_collective(r, &g_array_index(all->value->members, JsonMember, i)))
            return FALSE;
    return TRUE;
}

gboolean rules_json(RulesFile *file, const char *text, size_t length)
{
    RulesJson r = {.file = file};
    g_autofree char *why = NULL;
    size_t line;
    g_autoptr(JsonNode) root = json_parse(text, length, JSON_AS_PARSER, &why, &line);
    if (!root) {
        if (text[strspn(text, " \t\r\n")] == '{')
            rules_trap(file, TRAP_SHIFTED, line, "this is not JSON, so the file is read in the text format: %s", why);
        return FALSE;
    }
    file->format = "JSON";
    if (!read_root(&r, root))
        g_array_set_size(file->rules, 0);
    return TRUE;
}
