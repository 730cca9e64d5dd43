#include "answer/audit_report.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli.h"
#include "model/model.h"
#include "schedule/names.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] =
    "Holds what papers and reports claim about the cost of collective algorithms against simulation, and tells of\n"
    "each whether it is exact, exact for a class (powers of two ..), loose (never below the truth), of the right "
    "order\n"
    "with which constant, or wrong (claimed/true grows without bound or tends to 0 as p does, or is below what any\n"
    "algorithm can do); with the smallest counterexample, and the formula that fits. The coefficients of alpha, beta\n"
    "and gamma are judged apart. The claims are data: experiments/claims/*.csv.\n\n"
    "  collsim audit --source 001\n"
    "  collsim audit -o build/audit\n\n"
    "One's own claim, of p, m (or n), S segments, k (radix or chains), alpha, beta, gamma (or L, o, g, G: LogGP), the\n"
    "algorithm's parameters by name; log2, log(p,k), ln, sqrt, abs, ceil, floor, min, max, popcount; knomial(p,k), "
    "the\n"
    "messages that the root of a k-nomial tree sends; popcounts(p), popcount(0) + .. + popcount(p-1); bintree(p), how\n"
    "many messages one after the other the last rank of a binary tree waits for; delta(p), of binary blocks. The last\n"
    "line tells the verdict.\n\n"
    "  collsim audit --claim 'log2(p)*alpha + beta*m' bcast binomial\n"
    "  collsim audit --claim '(p-1)*alpha + (p-1)/p*m*(beta+gamma)' reduce_scatter ring --expect exact";

typedef struct AuditOptions {
    char *claim, *kind, *let, *where, *without, *source, *collective, *expect, *transfer, *platform, *report;
    AnswerOptions answer;
    char **params, **tables;
    int grid;
} AuditOptions;

static void audit_options_clear(AuditOptions *o)
{
    char *const texts[] = {o->claim,      o->kind,   o->let,      o->where,    o->without, o->source,
                           o->collective, o->expect, o->transfer, o->platform, o->report};
    answer_options_clear(&o->answer);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(o->params);
    g_strfreev(o->tables);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AuditOptions, audit_options_clear)

static const char *claims_folder(void)
{
    const char *folder = g_getenv("COLLSIM_CLAIMS");
    return folder ? folder : COLLSIM_CLAIMS;
}

static char *parameters_path(void)
{
    char *path = g_build_filename(claims_folder(), CLAIMS_PARAMETERS, NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return path;
    g_free(path);
    return NULL;
}

static gint by_source(gconstpointer a, gconstpointer b)
{
    return strcmp((*(const Claim *const *)a)->source, (*(const Claim *const *)b)->source);
}

// Keeps the claims that are asked for, sorted by source, and frees the others.
static gboolean choose(const AuditOptions *o, GPtrArray *claims, GError **error)
{
    Collective only = N_COLLECTIVES;
    if (o->collective && !collective_parse(o->collective, &only, error))
        return FALSE;
    g_ptr_array_sort(claims, by_source); // keeps the order within a source
    for (guint i = claims->len; i-- > 0;) {
        const Claim *c = g_ptr_array_index(claims, i);
        if ((o->source && strcmp(c->source, o->source) != 0) || (only != N_COLLECTIVES && c->collective != only))
            g_ptr_array_remove_index(claims, i);
    }
    return claims->len > 0 ||
           bad_input(error, "no claim is of that source and collective; allowed: 000 .. 004, those of "
                            "`collsim list`");
}

static gboolean own_claim(const AuditOptions *o, char **words, GPtrArray *claims, GError **error)
{
    if (!words[0] || !words[1])
        return bad_input(error, "--claim is about an algorithm; allowed: --claim EXPR COLLECTIVE ALGORITHM");
    g_autoptr(Claim) c = g_new0(Claim, 1);
    int kind = CLAIM_EQUALITY;
    c->id = g_strdup("--claim");
    char **const empty[] = {&c->source, &c->place, &c->params, &c->truth, &c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(empty); i++)
        *empty[i] = g_strdup("");
    c->text = g_strdup(o->claim);
    c->let = g_strdup(o->let ? o->let : "");
    c->where = g_strdup(o->where ? o->where : "");
    c->without = g_strdup(o->without ? o->without : "");
    if (!*g_strstrip(c->text))
        return bad_input(error, "--claim is empty; allowed: an expression, as 'log2(p)*alpha + m*beta'");
    if (!collective_parse(words[0], &c->collective, error) ||
        !(c->algorithm = algorithm_parse(c->collective, words[1], error)) ||
        (o->kind && !nearest_find("kind of claim", o->kind, claim_kinds, &kind, error)))
        return FALSE;
    c->kind = (ClaimKind)kind;
    c->par = algorithm_defaults(c->algorithm);
    for (char **w = o->params; w && *w; w++) {
        gboolean known;
        if (!param_parse(c->algorithm, *w, &c->par, &known, error))
            return known
                       ? FALSE
                       : bad_input(error, "--param %s: %s %s has no such parameter", *w, words[0], c->algorithm->name);
    }
    if (!claim_prepare(c, error))
        return FALSE;
    g_ptr_array_add(claims, g_steal_pointer(&c));
    return TRUE;
}

static gboolean read_claims(const AuditOptions *o, char **words, GPtrArray *claims, GError **error)
{
    if (o->claim)
        return own_claim(o, words, claims, error);
    if (words[0])
        return bad_input(error, "COLLECTIVE ALGORITHM is for --claim; allowed: --collective %s", words[0]);
    if (o->kind || o->let || o->where || o->without || o->params)
        return bad_input(error, "--as, --let, --where, --without and --param are for --claim");
    for (char **path = o->tables; path && *path; path++)
        if (!claims_read(*path, claims, error))
            return FALSE;
    return (o->tables || claims_read_folder(claims_folder(), claims, error)) && choose(o, claims, error);
}

static bool all_exact(const Audit *a)
{
    for (guint i = 0; i < a->results->len; i++) {
        const VerdictKind kind = g_array_index(a->results, Audited, i).verdict.kind;
        if (kind != VERDICT_EXACT && kind != VERDICT_NONE)
            return false;
    }
    return true;
}

static int audit(const AuditOptions *o, char **words, GError **error)
{
    static const char *const expected[] = {"exact", NULL}, *const transfers[] = {"rendezvous", "eager", NULL};
    g_autoptr(GPtrArray) claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) pages = {0};
    int expect, transfer = 0;
    if ((o->expect && !nearest_find("verdict to expect", o->expect, expected, &expect, error)) ||
        (o->transfer && !nearest_find("transfer", o->transfer, transfers, &transfer, error)))
        return 2;
    if (o->grid < 1 || o->grid > 2)
        return bad_input(error, "--grid %d; allowed: 1 or 2", o->grid), 2;
    g_autoptr(Platform) platform = ask_platform(o->platform ? o->platform : "generic-100g", error);
    if (!platform || !platform_need(platform, hockney_model.keys, hockney_model.n_keys, "hockney", error) ||
        !read_claims(o, words, claims, error) || !answer_open(&answer, &o->answer, error) ||
        (o->report && !output_set_folder(&pages, o->report, error)))
        return 2;
    g_autofree char *parameters = parameters_path();
    const TruthOptions options = {o->grid, transfer == 1, platform};
    g_autoptr(Audit) a = audit_run(claims, &options, parameters, error);
    if (!a || (o->report && !(audit_pages(a, &pages, error) && output_set_close(&pages, error))))
        return 2;
    if (!o->report || o->answer.format || o->answer.output) // a report alone is the answer
        audit_report(&answer, a, platform, transfers[transfer], o->claim != NULL);
    return !answer_close(&answer, error) ? 2 : o->expect && !all_exact(a) ? 1 : 0;
}

// Makes `-o FOLDER` a synonym of --report, as releases before 1.0 had it: the path of a folder, or a new one without
// an ending.
static void folder_synonym(AuditOptions *o)
{
    char **const path = &o->answer.output;
    if (!*path || o->report || o->answer.format || strcmp(*path, "-") == 0)
        return;
    g_autofree char *name = g_path_get_basename(*path);
    if (g_file_test(*path, G_FILE_TEST_IS_DIR) || (!strchr(name, '.') && !g_file_test(*path, G_FILE_TEST_EXISTS)))
        o->report = g_steal_pointer(path);
}

int cmd_audit(int argc, char **argv, GError **error)
{
    g_auto(AuditOptions) o = {.grid = 1};
    const GOptionEntry entries[] = {
        {"claim", 0, 0, G_OPTION_ARG_STRING, &o.claim, "one's own claim about COLLECTIVE ALGORITHM", "EXPR"},
        {"as", 0, 0, G_OPTION_ARG_STRING, &o.kind, "claim: equality (default), upper or order", "KIND"},
        {"let", 0, 0, G_OPTION_ARG_STRING, &o.let, "claim: what its letters mean, as 'n=p*m;c=ceil(log2(p))'",
         "NAME=EXPR;.."},
        {"where", 0, 0, G_OPTION_ARG_STRING, &o.where, "claim: the points that it is meant for, as 'popcount(p)>1'",
         "EXPR"},
        {"without", 0, 0, G_OPTION_ARG_STRING, &o.without, "claim: costs that it leaves out on purpose, as gamma",
         "COST;.."},
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "claim: a parameter of the algorithm", "NAME=VALUE"},
        {"claims", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.tables,
         "claims in place of experiments/claims (see its README.md)", "FILE.csv"},
        {"source", 0, 0, G_OPTION_ARG_STRING, &o.source, "claims of this source alone", "NAME"},
        {"collective", 0, 0, G_OPTION_ARG_STRING, &o.collective, "claims about this collective alone", "NAME"},
        {"expect", 0, 0, G_OPTION_ARG_STRING, &o.expect, "exit status 1 where a claim is not exact", "exact"},
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &o.transfer, "rendezvous (default) or eager", "NAME"},
        {"platform", 0, 0, G_OPTION_ARG_STRING, &o.platform, "of which crossovers are (generic-100g)", "NAME|FILE"},
        {"grid", 0, 0, G_OPTION_ARG_INT, &o.grid, "2: points twice as many and twice as far", "N"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &o.report, "write Markdown, HTML and pictures into DIR", "DIR"},
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "[COLLECTIVE ALGORITHM]", help_text, entries, 0, 2, &words, error))
        return 2;
    folder_synonym(&o);
    return audit(&o, words, error);
}
