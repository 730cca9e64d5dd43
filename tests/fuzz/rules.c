// A rules file, after a first line that names the library. Whatever the file is, it is read, every call finds at most one
// rule (of a tree of MPICH, exactly one row), and what is found is not called dead.
#include "libraries/decide/rules.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/selection.h"
#include "libraries/decide/ucc_string.h"
#include "fuzz.h"
#include <string.h>

// Every call fits one row of a tree, and what is converted runs the same.
static void try_tree(const RulesFile *file)
{
    g_autoptr(GError) error = NULL;
    for (int i = 0; i < 64 && !file->ignored; i++) {
        const DecideCall decide = {.collective = (Collective)(i % N_COLLECTIVES),
                                   .p = 1 << i % 7,
                                   .m = (size_t)i * 8,
                                   .elem = 4,
                                   .commutative = i % 3 > 0,
                                   .in_place = i % 5 == 0};
        const RuleCall call = selection_call(&decide);
        g_assert_nonnull(rule_find(selection_rows(file->selection), &call));
        (void)selection_run(file->selection, &call);
    }
    for (LibraryId id = LIBRARY_MPICH_40; id <= LIBRARY_MPICH_43 && selection_rows(file->selection)->len < 500; id++) {
        g_autofree char *written = selection_convert(file, &libraries[id], &error);
        fuzz_outcome(written != NULL, &error);
    }
}

// No two rules of HAN serve the same calls.
static void try_han(const GArray *rules)
{
    for (guint i = 0; i < MIN(rules->len, 100); i++)
        for (guint k = 0; k < i; k++) {
            const LibraryRule *a = &g_array_index(rules, LibraryRule, i), *b = &g_array_index(rules, LibraryRule, k);
            const gint64 ranks = MAX(a->when.ranks.first, b->when.ranks.first),
                         bytes = MAX(a->when.bytes.first, b->when.bytes.first);
            g_assert_true(a->collective != b->collective || a->level != b->level ||
                          ranks > MIN(a->when.ranks.last, b->when.ranks.last) ||
                          bytes > MIN(a->when.bytes.last, b->when.bytes.last));
        }
}

// What is written of UCC's rules has no trap, and selects the same.
static void try_ucc(const RulesFile *file)
{
    g_autoptr(GError) error = NULL;
    const gboolean few = file->rules->len <= 100;
    g_autofree char *written = few ? ucc_convert(file, file->library, &error) : NULL;
    if (!few || !fuzz_outcome(written != NULL, &error))
        return;
    g_assert(written);
    g_autoptr(RulesFile) again = rules_parse(written, strlen(written), "written", file->library, NULL);
    g_assert_false(again->ignored);
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        if (*rule->params || rule->when.ranks.first > G_MAXINT)
            continue;
        const LibraryRule *found =
            rules_find(again, rule->collective, (int)rule->when.ranks.first, rule->when.bytes.first);
        g_assert_true(found && found->id == rule->id && !found->runs == !rule->runs);
    }
}

FUZZ_HARNESS(rules)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 1);
    g_autoptr(GError) error = NULL;
    const Library *library = library_find(text[0], &error);
    if (!fuzz_outcome(library != NULL, &error))
        return 0;
    g_autoptr(RulesFile) file = rules_parse(text[1], strlen(text[1]), "rules", library, &error);
    if (!fuzz_outcome(file != NULL, &error))
        return 0;
    g_assert_true(!file->ignored || (file->rules->len == 0 && file->traps->len > 0));
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        g_assert_cmpuint(trap->line, >=, 1);
        g_assert_true(g_utf8_validate(trap->text, -1, NULL));
        g_assert_null(strpbrk(trap->text, "\n\r\033"));
    }
    if (file->han)
        try_han(file->han);
    if (file->selection) {
        try_tree(file);
        return 0;
    }
    for (guint i = 0; i < MIN(file->rules->len, 100); i++) {
        const LibraryRule rule = g_array_index(file->rules, LibraryRule, i);
        const gint64 ranks = MAX(rule.when.ranks.first, 1);
        const LibraryRule *found =
            ranks <= G_MAXINT ? rules_find(file, rule.collective, (int)ranks, MAX(rule.when.bytes.first, 0)) : NULL;
        g_assert_true(!found || found->when.bytes.first <= found->when.bytes.last);
    }
    if (library->family == LIBRARY_UCC) {
        try_ucc(file);
        return 0;
    }
    for (LibraryId id = LIBRARY_OMPI_41; id <= LIBRARY_OMPI_MAIN && file->rules->len <= 100; id++) {
        g_autofree char *written =
            file->han ? rules_han_convert(file, &libraries[id], &error) : rules_convert(file, &libraries[id], &error);
        if (!fuzz_outcome(written != NULL, &error))
            continue;
        g_assert(written);
        g_autoptr(RulesFile) again = rules_parse(written, strlen(written), "written", &libraries[id], NULL);
        g_assert_false(again->ignored);
    }
    return 0;
}
