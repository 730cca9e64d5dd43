// The head comment of every algorithm file says what the registry says: each entry's needs, cost and source.
//
// A head is the comment that opens the file, with the parts What, Cost, Source and Needs. Line ends count as spaces.
//   Needs   begins with what the entry needs: "p even; else ring runs", or "nothing".
//   Source  begins with the entry's source.
//   Cost    begins with the entry's cost; "T = " may stand before it.
// A full stop ends each of them, and more may follow. Where the entries of a file differ, the part names each of them,
// in the order of the file: "allgather ring: .. allgatherv ring: ..".
#include "registry/registry.h"
#include "only.h"
#include "tap.h"
#include <string.h>

typedef enum { HEAD_WHAT, HEAD_COST, HEAD_SOURCE, HEAD_NEEDS, N_HEAD_PARTS } HeadPart;
static const char *const part_names[] = {"What:", "Cost:", "Source:", "Needs:"};

typedef struct HeadEntry {
    const char *name; // of the variable, without _algorithm
    const CollAlgorithm *a;
} HeadEntry;
#define HEAD_ENTRY(name) {#name, &name##_algorithm},
static const HeadEntry entries[] = {ALGORITHMS(HEAD_ENTRY)};

// Splits the head of a file into its parts; free each with g_string_free. A part that is missing is empty.
static void read_head(const char *text, GString *part[N_HEAD_PARTS])
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *to = NULL;
    for (int i = 0; i < N_HEAD_PARTS; i++)
        part[i] = g_string_new(NULL);
    for (char **line = lines; *line && g_str_has_prefix(*line, "//"); line++) {
        const char *words = g_strstrip(*line + 2);
        if (!*words) // the drawing comes after an empty line
            to = NULL;
        for (int i = 0; i < N_HEAD_PARTS; i++)
            if (g_str_has_prefix(words, part_names[i])) {
                to = part[i];
                words = g_strchug((char *)words + strlen(part_names[i]));
            }
        if (to)
            g_string_append_printf(to, "%s%s", to->len ? " " : "", words);
    }
}

// Returns the entries that a file defines, as indices (int) into `entries`; free with g_array_unref.
static GArray *entries_of(const char *text)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(int));
    static const char start[] = "\nconst CollAlgorithm ";
    for (const char *at = text; (at = strstr(at, start)) != NULL;) {
        at += sizeof start - 1;
        for (int i = 0; i < (int)G_N_ELEMENTS(entries); i++) {
            g_autofree char *variable = g_strconcat(entries[i].name, "_algorithm ", NULL);
            if (g_str_has_prefix(at, variable))
                g_array_append_val(found, i);
        }
    }
    return found;
}

// Returns what an entry says in a part; free with g_free.
static char *entry_text(const CollAlgorithm *a, HeadPart part)
{
    if (part != HEAD_NEEDS)
        return g_strdup(part == HEAD_COST ? a->cost : a->source);
    GString *s = g_string_new(a->needs[0] ? NULL : "nothing");
    for (int i = 0; i < algorithm_n_needs(a); i++)
        g_string_append_printf(s, "%s%s", i ? ", " : "", a->needs[i]->text);
    if (a->otherwise)
        g_string_append_printf(s, "; else %s runs", a->otherwise);
    return g_string_free(s, FALSE);
}

// Returns true if all entries of a file say the same in this part.
static bool all_agree(const GArray *of, HeadPart part)
{
    g_autofree char *first = entry_text(entries[g_array_index(of, int, 0)].a, part);
    bool agree = true;
    for (guint i = 1; i < of->len; i++) {
        g_autofree char *text = entry_text(entries[g_array_index(of, int, i)].a, part);
        agree &= strcmp(text, first) == 0;
    }
    return agree;
}

// Expects `head` to begin with the label and an entry's text, and returns what follows, or NULL if it does not begin
// so. "T = " may stand before the text, and a full stop must end it.
static const char *take_text(const char *head, const char *label, const char *text)
{
    if (!g_str_has_prefix(head, label))
        return NULL;
    head += strlen(label);
    head += g_str_has_prefix(head, "T = ") ? strlen("T = ") : 0;
    if (!g_str_has_prefix(head, text) || head[strlen(text)] != '.')
        return NULL;
    head += strlen(text) + 1;
    return *head == ' ' ? head + 1 : *head ? NULL : head;
}

// Returns the first difference between a file's head and its entries, for a person to read, or NULL if they agree; free
// with g_free.
static char *find_difference(const char *text, const GArray *of)
{
    GString *part[N_HEAD_PARTS];
    read_head(text, part);
    char *difference = part[HEAD_WHAT]->len ? NULL : g_strdup("What: the head does not say it");
    for (HeadPart i = HEAD_COST; i < N_HEAD_PARTS; i++) {
        const bool agree = all_agree(of, i);
        const char *left = part[i]->str;
        for (guint k = 0; k < (agree ? 1 : of->len) && !difference; k++) {
            const CollAlgorithm *a = entries[g_array_index(of, int, k)].a;
            g_autofree char *due = entry_text(a, i);
            g_autofree char *label = g_strdup_printf("%s %s: ", collectives[a->collective].name, a->name);
            const char *rest = take_text(left, agree ? "" : label, due);
            if (!rest)
                difference = g_strdup_printf("%s\n  the head says  %s\n  the entry says %s%s.", part_names[i], left,
                                             agree ? "" : label, due);
            else
                left = rest;
        }
    }
    for (int i = 0; i < N_HEAD_PARTS; i++)
        g_string_free(part[i], TRUE);
    return difference;
}

// Returns true if the file concerns this run: all files do, or the one with the entry that COLLSIM_ALGO names.
static bool is_wanted(const char *text)
{
    g_autoptr(GArray) of = entries_of(text);
    for (guint i = 0; only_one() && i < of->len; i++)
        if (entries[g_array_index(of, int, i)].a == only_one())
            return true;
    return !only_one();
}

// Calls `check` for every wanted .c file in the folders that are named like a collective.
static void each_file(void (*check)(const char *file, const char *text, void *user), void *user)
{
    for (int c = 0; c < N_COLLECTIVES; c++) {
        g_autofree char *folder = g_build_filename("algos", collectives[c].name, NULL);
        GDir *dir = g_dir_open(folder, 0, NULL); // a v-collective may have no folder of its own
        for (const char *name; dir && (name = g_dir_read_name(dir)) != NULL;) {
            if (!g_str_has_suffix(name, ".c"))
                continue;
            g_autofree char *file = g_build_filename(folder, name, NULL), *text = NULL;
            g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
            if (is_wanted(text))
                check(file, text, user);
        }
        if (dir)
            g_dir_close(dir);
    }
}

static void check_file(const char *file, const char *text, void *user)
{
    int *seen = user;
    g_autoptr(GArray) of = entries_of(text);
    g_autofree char *difference = of->len ? find_difference(text, of) : g_strdup("the file has no entry");
    if (difference) {
        g_test_message("%s: %s", file, difference);
        g_test_fail();
    }
    for (guint i = 0; i < of->len; i++)
        seen[g_array_index(of, int, i)]++;
}

static void test_agree(void)
{
    int seen[G_N_ELEMENTS(entries)] = {0};
    each_file(check_file, seen);
    for (int i = only_first(); i < only_end(); i++) {
        if (seen[i] != 1)
            g_test_message("%s stands in %d files", entries[i].name, seen[i]);
        g_assert_cmpint(seen[i], ==, 1);
    }
}

// The check can fail: in every file, overwriting the first line of any part is noticed.
static void check_edits(const char *file, const char *text, void *user)
{
    (void)user;
    g_autoptr(GArray) of = entries_of(text);
    for (HeadPart i = HEAD_WHAT; i < N_HEAD_PARTS && of->len; i++) {
        g_autofree char *label = g_strconcat("// ", part_names[i], NULL), *edited = g_strdup(text);
        char *at = strstr(edited, label);
        g_assert_nonnull(at);
        // The text of What is not checked, only its presence, so there the label is overwritten too.
        char *from = i == HEAD_WHAT ? at : at + strlen(label);
        memset(from, '#', strcspn(from, "\n"));
        g_autofree char *difference = find_difference(edited, of);
        if (!difference) {
            g_test_message("%s: an edit of `%s` is not noticed", file, part_names[i]);
            g_test_fail();
        }
    }
}

static void test_notice(void)
{
    each_file(check_edits, NULL);
}

static void add(void)
{
    g_test_add_func("/heads/agree with the entries", test_agree);
    g_test_add_func("/heads/an edit is noticed", test_notice);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
