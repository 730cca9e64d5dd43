// Variables of Intel MPI, as lines for a shell:
//     export I_MPI_ADJUST_ALLREDUCE="1:0-2047@16-31;2:2048-4194304@16-31,0-1024@64"
// An id without conditions serves all calls. A condition is SIZES or SIZES@RANKS, each N or N-N. Lines that begin with
// # and empty lines are comments.
#include "base/limits.h"
#include "libraries/targets/target.h"
#include "registry/coverage.h"
#include <string.h>

static const char prefix[] = "I_MPI_ADJUST_", mark[] = "intel:";

const char *target_intel_name(Collective collective, int id)
{
    g_autofree char *wanted = g_strdup_printf("%s%d", mark, id);
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *item = &cover_items[i];
        if (item->cover == COVER_INTEL && item->collective == collective && strcmp(item->name, wanted) == 0)
            return item->entry;
    }
    return NULL;
}

// Returns the collective of a variable, "ALLREDUCE"; -1 if the reference has none, as for a nonblocking one.
static int find_collective(const char *name)
{
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (g_ascii_strcasecmp(collectives[i].name, name) == 0 && target_intel_name((Collective)i, 1))
            return i;
    return -1;
}

// Reads "N" or "N-N".
static gboolean read_range(TargetLines *at, const char *what, const char *text, size_t most, RuleRange *range)
{
    g_auto(GStrv) ends = g_strsplit(text, "-", 2);
    if (!ends[0] || !target_number(at, what, ends[0], most, &range->first))
        return FALSE;
    range->last = range->first;
    return !ends[1] || target_number(at, what, ends[1], most, &range->last);
}

static void read_condition(TargetLines *at, const char *text, TargetRule *rule)
{
    g_auto(GStrv) both = g_strsplit(text, "@", 2);
    rule->ranks = (RuleRange){2, RULES_NO_LIMIT};
    if (!both[0] || !read_range(at, "size", both[0], LIMIT_BYTES, &rule->bytes) ||
        (both[1] && !read_range(at, "number of ranks", both[1], LIMIT_RANKS, &rule->ranks)))
        return;
    if (rule->bytes.first > rule->bytes.last || rule->ranks.first > rule->ranks.last)
        target_trap(at->file, TRAP_DEAD, at->line, "no call reaches %s: a range ends before it begins", text);
    else
        target_add(at->file, rule);
}

// Reads "ID" or "ID:CONDITION,CONDITION".
static void read_choice(TargetLines *at, int collective, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    gint64 id;
    if (!parts[0] || !target_number(at, "id", parts[0], G_MAXINT16, &id))
        return;
    const char *name = id ? target_intel_name((Collective)collective, (int)id) : "Intel's own choice";
    if (!name) {
        target_trap(at->file, TRAP_ELSE, at->line, "Intel's reference has no id %d of %s", (int)id,
                    collectives[collective].name);
        return;
    }
    g_autofree char *runs = g_strdup_printf("%d %s", (int)id, name);
    TargetRule rule = {.collective = (Collective)collective, .id = (int)id, .runs = runs, .line = at->line};
    rule.ranks = (RuleRange){2, RULES_NO_LIMIT};
    rule.bytes = (RuleRange){0, RULES_NO_LIMIT};
    if (!parts[1]) {
        target_add(at->file, &rule);
        return;
    }
    g_auto(GStrv) conditions = g_strsplit(parts[1], ",", -1);
    for (char **condition = conditions; *condition; condition++)
        read_condition(at, *condition, &rule);
}

// Takes the quotes off a value. A ; outside them ends the shell's command.
static char *unquote(TargetLines *at, const char *value)
{
    const size_t n = strlen(value);
    const gboolean quoted = n > 1 && (*value == '"' || *value == '\'') && value[n - 1] == *value;
    if (!quoted && strchr(value, ';'))
        target_trap(at->file, TRAP_UNREAD, at->line,
                    "the shell takes only what stands before the first ;; allowed: quotes "
                    "around the value");
    if (!quoted && strpbrk(value, "\"'"))
        target_trap(at->file, TRAP_MISREAD, at->line, "a quote has no other one");
    return quoted ? g_strndup(value + 1, n - 2) : g_strndup(value, strcspn(value, ";"));
}

static void read_line(TargetLines *at, char *line)
{
    static const char export[] = "export ";
    char *text = g_strstrip(line);
    if (*text == '#' || !*text)
        return;
    if (g_str_has_prefix(text, export))
        text = g_strchug(text + strlen(export));
    else
        target_trap(at->file, TRAP_UNREAD, at->line, "a program does not see a variable that is not exported");
    char *equals = strchr(text, '=');
    if (!g_str_has_prefix(text, prefix) || !equals) {
        target_trap(at->file, TRAP_UNREAD, at->line, "the line does not set a variable %sCOLLECTIVE", prefix);
        return;
    }
    g_autofree char *name = g_strndup(text + strlen(prefix), (gsize)(equals - text) - strlen(prefix)),
                    *value = unquote(at, equals + 1);
    const int collective = find_collective(name);
    if (collective < 0) {
        target_trap(at->file, TRAP_UNREAD, at->line, "%s%.40s is not a variable of a blocking collective", prefix,
                    name);
        return;
    }
    for (guint i = 0; i < at->file->rules->len; i++)
        if (g_array_index(at->file->rules, TargetRule, i).collective == (Collective)collective) {
            target_trap(at->file, TRAP_DEAD, g_array_index(at->file->rules, TargetRule, i).line,
                        "line %zu sets the variable anew", at->line);
            g_array_remove_index(at->file->rules, i--);
        }
    g_auto(GStrv) choices = g_strsplit(value, ";", -1);
    for (char **choice = choices; *choice; choice++)
        read_choice(at, collective, *choice);
}

void target_intel_read(TargetLines *at)
{
    for (char **line = at->lines; *line; line++) {
        at->line++;
        read_line(at, *line);
    }
}

// Appends "ID:CONDITION,CONDITION" with all rules of a collective that have the id of rule `first`, unless an earlier
// one has it.
static void write_choice(GString *text, const GArray *rules, guint first)
{
    const TargetRule *one = &g_array_index(rules, TargetRule, first);
    const char *separator = "";
    for (guint i = 0; i < rules->len; i++) {
        const TargetRule *rule = &g_array_index(rules, TargetRule, i);
        if (rule->collective != one->collective || rule->id != one->id)
            continue;
        if (i < first)
            return;
        if (i == first)
            g_string_append_printf(text, "%d:", rule->id);
        g_string_append_printf(text, "%s%zu-%zu@%d-%d", separator, (size_t)rule->bytes.first,
                               (size_t)MIN(rule->bytes.last, G_MAXINT32), (int)rule->ranks.first,
                               (int)rule->ranks.last);
        separator = ",";
    }
}

void target_intel_write(GString *text, const GArray *rules)
{
    for (int c = 0; c < N_COLLECTIVES; c++) {
        g_autofree char *name = g_ascii_strup(collectives[c].name, -1);
        g_autoptr(GString) value = g_string_new(NULL);
        for (guint i = 0; i < rules->len; i++) {
            g_autoptr(GString) choice = g_string_new(NULL);
            if ((int)g_array_index(rules, TargetRule, i).collective == c)
                write_choice(choice, rules, i);
            if (choice->len)
                g_string_append_printf(value, "%s%s", value->len ? ";" : "", choice->str);
        }
        if (value->len)
            g_string_append_printf(text, "export %s%s=\"%s\"\n", prefix, name, value->str);
    }
}
