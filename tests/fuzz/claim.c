// Claims as `audit --claim` has them, one text a line: the collective, the algorithm, the kind, the claim, --let,
// --where, --without and --param. They are judged at p <= 9.
#include "judge/audit/audit.h"
#include "base/nearest.h"
#include "fuzz.h"
#include "engine/schedule/parse.h"
#include <string.h>

enum { COLLECTIVE, ALGORITHM, KIND, CLAIM, LET, WHERE, WITHOUT, PARAM };

static gboolean prepare(Claim *c, char **text, GError **error)
{
    int kind;
    gboolean known = TRUE;
    char **const empty[] = {&c->source, &c->place, &c->params, &c->truth, &c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(empty); i++)
        *empty[i] = g_strdup("");
    c->id = g_strdup("claim");
    c->text = g_strdup(text[CLAIM]);
    // A measurement has its one point in --let, where the last p counts.
    const gboolean measured = strcmp(text[KIND], claim_kinds[CLAIM_MEASUREMENT]) == 0;
    c->let = measured ? g_strdup_printf("%s;p=9", text[LET]) : g_strdup(text[LET]);
    c->where = measured       ? g_strdup(text[WHERE])
               : *text[WHERE] ? g_strdup_printf("p<=9 && (%s)", text[WHERE])
                              : g_strdup("p<=9");
    c->without = g_strdup(text[WITHOUT]);
    if (!collective_parse(text[COLLECTIVE], &c->collective, error) ||
        !(c->algorithm = algorithm_parse(c->collective, text[ALGORITHM], error)) ||
        !nearest_find("kind of claim", text[KIND], claim_kinds, &kind, error))
        return FALSE;
    c->kind = (ClaimKind)kind;
    c->par = algorithm_defaults(c->algorithm);
    if (*text[PARAM] && !param_parse(c->algorithm, text[PARAM], &c->par, &known, error) && known)
        return FALSE;
    return claim_prepare(c, error);
}

FUZZ_HARNESS(claim)
{
    g_auto(GStrv) text = fuzz_lines(data, size, PARAM);
    g_autoptr(GError) error = NULL;
    g_autoptr(Claim) claim = g_new0(Claim, 1);
    if (!fuzz_outcome(prepare(claim, text, &error), &error))
        return 0;
    g_autoptr(GPtrArray) claims = g_ptr_array_new();
    g_ptr_array_add(claims, claim);
    const TruthOptions options = {.refine = 1, .platform = fuzz_platform()};
    g_autoptr(Audit) audit = audit_run(claims, &options, NULL, &error);
    if (fuzz_outcome(audit != NULL, &error))
        g_assert_nonnull(g_array_index(audit->results, Audited, 0).verdict_text);
    return 0;
}
