#include "answer/judge/audit_report.h"
#include "ask/ask.h"
#include "ask/foresee.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "ask/stop.h"
#include "judge/audit/source.h"
#include "base/error.h"
#include "base/nearest.h"
#include "engine/formula/notation.h"
#include "base/share.h"
#include "cli.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] = "Compares what papers and reports claim about the cost of collective algorithms\n"
                                "with simulation, and gives each claim a verdict, with the smallest\n"
                                "counterexample and the formula that fits:\n"
                                "\n"
                                "  exact        equal everywhere, or everywhere in a class (powers of two, ..)\n"
                                "  loose        never below the true cost; of a lower bound, never above it\n"
                                "  right order  within a constant factor, which is printed\n"
                                "  wrong        claimed/true grows without bound or tends to 0 as p grows, or\n"
                                "               the claim is below what any algorithm can do\n"
                                "  measured     a measurement, and what it implies that a message costs\n"
                                "  in part      a recommendation that is good at some of its points\n"
                                "\n"
                                "The coefficients of alpha, beta and gamma are judged separately, so these\n"
                                "verdicts are the same on every machine. Crossovers and recommendations are\n"
                                "judged by times on --platform. The claims are data, see\n"
                                "experiments/claims/README.md.\n"
                                "\n"
                                "  collsim audit --source 001\n"
                                "  collsim audit --report build/audit\n"
                                "\n"
                                "--claim judges your own formula. Its variables are p, m (or n), S (segments), k\n"
                                "(radix or chains), alpha, beta, gamma (or L, o, g, G of LogGP), and the\n"
                                "algorithm's parameters by name. Its functions are log2, log(p,k), ln, sqrt, abs,\n"
                                "ceil, floor, min, max, popcount, and\n"
                                "  knomial(p,k)  messages that the root of a k-nomial tree sends\n"
                                "  popcounts(p)  popcount(0) + .. + popcount(p-1)\n"
                                "  bintree(p)    messages in a row that the last rank of a binary tree waits for\n"
                                "  delta(p)      largest distance of neighbouring bits that are 1 in p\n"
                                "The last line that is printed is the verdict. The formula may also be as papers\n"
                                "print it, such as '\\lceil\\log_2 p\\rceil (\\alpha + n\\beta)', '2(p-1)alpha', or\n"
                                "'O(log p)', which is judged as an order, of rounds if it has no cost. The answer\n"
                                "then says how it was read; a formula that can be read in two ways is refused.\n"
                                "\n"
                                "  collsim audit --claim 'log2(p)*alpha + beta*m' bcast binomial\n"
                                "  collsim audit --claim '(p-1)*alpha + (p-1)/p*m*(beta+gamma)' \\\n"
                                "      reduce_scatter ring --expect exact";

typedef struct AuditOptions {
    char *claim, *kind, *let, *where, *without, *source, *collective, *expect, *transfer, *platform, *model, *report;
    AnswerOptions answer;
    char **params, **tables;
    int grid;
} AuditOptions;

static void audit_options_clear(AuditOptions *o)
{
    char *const texts[] = {o->claim,      o->kind,   o->let,      o->where,    o->without, o->source,
                           o->collective, o->expect, o->transfer, o->platform, o->model,   o->report};
    answer_options_clear(&o->answer);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(o->params);
    g_strfreev(o->tables);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AuditOptions, audit_options_clear)

static gint by_source(gconstpointer a, gconstpointer b)
{
    return strcmp((*(const Claim *const *)a)->source, (*(const Claim *const *)b)->source);
}

// Keeps the claims of the source and collective in the options, sorted by source, and frees the others.
static gboolean choose(const AuditOptions *o, GPtrArray *claims, GError **error)
{
    Collective only = N_COLLECTIVES;
    if (o->collective && !collective_parse(o->collective, &only, error))
        return FALSE;
    g_ptr_array_sort(claims, by_source); // a stable sort: claims of a source keep their order
    for (guint i = claims->len; i-- > 0;) {
        const Claim *c = g_ptr_array_index(claims, i);
        if ((o->source && !source_matches(c, o->source)) || (only != N_COLLECTIVES && c->collective != only))
            g_ptr_array_remove_index(claims, i);
    }
    g_autofree char *sources = source_list();
    return claims->len > 0 ||
           bad_input(error,
                     "no claim has this source and collective; allowed: words of %s; collectives of `collsim list`",
                     sources);
}

// Returns the claim that the options make of a formula, ready to be judged, or of none, with only its names. Returns NULL
// and an error on bad input. Free with claim_free.
static Claim *make_claim(const AuditOptions *o, char **words, Expression *value, ClaimKind kind, Quantity quantity,
                         GError **error)
{
    g_autoptr(Claim) c = g_new0(Claim, 1);
    int given;
    c->id = g_strdup("--claim");
    char **const empty[] = {&c->source, &c->place, &c->params, &c->against_params, &c->truth, &c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(empty); i++)
        *empty[i] = g_strdup("");
    c->text = value ? expression_text(value) : g_strdup("");
    c->value = value ? expression_ref(value) : NULL;
    c->let = g_strdup(o->let ? o->let : "");
    c->where = g_strdup(o->where ? o->where : "");
    c->without = g_strdup(o->without ? o->without : "");
    g_autofree char *name =
        collective_parse(words[0], &c->collective, error) ? ask_plugin(words[1], c->collective, error) : NULL;
    if (!name || !(c->algorithm = algorithm_parse(c->collective, name, error)) ||
        (o->kind && !nearest_find("kind of claim", o->kind, claim_kinds, &given, error)))
        return NULL;
    c->kind = o->kind ? (ClaimKind)given : kind;
    c->quantity = quantity;
    c->par = algorithm_defaults(c->algorithm);
    if (!ask_plugin_params(o->params, error))
        return NULL;
    for (char **w = o->params; w && *w; w++) {
        gboolean known;
        if (!param_parse(c->algorithm, *w, &c->par, &known, error)) {
            if (!known)
                param_unknown(c->algorithm, *w, error);
            return NULL;
        }
    }
    return (value ? claim_prepare(c, error) : claim_define(c, error)) ? g_steal_pointer(&c) : NULL;
}

// Returns the claim of a reading, or NULL and an error if it cannot be meant.
static Claim *reading_claim(const AuditOptions *o, char **words, const Notation *n, guint i, GError **error)
{
    const ClaimKind kind = n->order ? CLAIM_ORDER : CLAIM_EQUALITY;
    Expression *value = n->readings->pdata[i];
    g_autoptr(GError) why = NULL;
    Claim *c = make_claim(o, words, value, kind, QUANTITY_TIME, &why);
    if (!c && n->order && !expression_uses(value, "m") && !expression_uses(value, "n"))
        c = make_claim(o, words, value, kind, QUANTITY_ROUNDS, NULL); // O(log p), without a cost, is about rounds
    if (!c) {
        g_autofree char *text = expression_text(value);
        bad_input(error, n->plain ? "%s" : "%s (read as %s)", why->message, text);
    } else if (n->plain) {
        g_free(c->text);
        c->text = g_strdup(o->claim);
    }
    return c;
}

// If there are several readings, takes the only one that is proportional to its costs; if several are, it takes the only
// one of these that is homogeneous too. Returns NULL and an error unless exactly one reading is left.
static Claim *meant_claim(const AuditOptions *o, char **words, const Notation *n, GError **error)
{
    if (n->readings->len == 1)
        return reading_claim(o, words, n, 0, error);
    bool (*const can_be_meant[])(const Claim *) = {claim_is_proportional, claim_is_homogeneous};
    g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    for (guint i = 0; i < n->readings->len; i++) {
        Claim *c = reading_claim(o, words, n, i, NULL);
        if (c)
            g_ptr_array_add(left, c);
    }
    for (size_t k = 0; k < G_N_ELEMENTS(can_be_meant) && left->len > 1; k++) {
        guint good = 0;
        for (guint i = 0; i < left->len; i++)
            good += can_be_meant[k](left->pdata[i]);
        for (guint i = left->len; good > 0 && i-- > 0;)
            if (!can_be_meant[k](left->pdata[i]))
                g_ptr_array_remove_index(left, i);
    }
    if (left->len == 1)
        return g_ptr_array_steal_index(left, 0);
    if (left->len == 0)
        return reading_claim(o, words, n, 0, error);
    bad_input(error, "--claim: this can be read as %s, or as %s; allowed: with brackets that tell",
              ((const Claim *)left->pdata[0])->text, ((const Claim *)left->pdata[1])->text);
    return NULL;
}

// Adds to an error about a word that is not known how the user can say what it means.
static void suggest_let(const AuditOptions *o, char **names, GError *e)
{
    static const char unknown[] = "' is not known", allowed[] = "allowed: ";
    char *const end = strstr(e->message, unknown), *const list = end ? strstr(end, allowed) : NULL;
    char *const quote = end ? g_strrstr_len(e->message, end - e->message, "'") : NULL;
    g_autofree char *word = quote && list ? g_strndup(quote + 1, (gsize)(end - quote) - 1) : NULL;
    const char *const at = word ? strstr(o->claim, word) : NULL;
    if (!at || at[strlen(word)] == '(' || !expression_check_name("", word, NULL))
        return; // --let defines no functions
    const char *value = "EXPR";
    for (char **name = names; *name; name++)
        value = g_ascii_strcasecmp(*name, word) == 0 ? *name : value;
    char *const message = g_strdup_printf("%.*sallowed: --let %s=%s, or %s", (int)(list - e->message), e->message, word,
                                          value, list + strlen(allowed));
    g_free(e->message);
    e->message = message;
}

static gboolean own_claim(const AuditOptions *o, char **words, GPtrArray *claims, gboolean *paper, GError **error)
{
    if (!words[0] || !words[1])
        return bad_input(error, "--claim needs an algorithm; allowed: --claim EXPR COLLECTIVE ALGORITHM");
    if (!*g_strstrip(o->claim))
        return bad_input(error, "--claim is empty; allowed: an expression such as 'log2(p)*alpha + m*beta'");
    g_autoptr(Claim) named = make_claim(o, words, NULL, CLAIM_EQUALITY, QUANTITY_TIME, error);
    if (!named)
        return FALSE;
    g_autoptr(Notation) n = notation_read("--claim", o->claim, (const char *const *)named->names, error);
    Claim *c = n ? meant_claim(o, words, n, error) : NULL;
    if (!c) {
        suggest_let(o, named->names, *error);
        return FALSE;
    }
    *paper = !n->plain;
    g_ptr_array_add(claims, c);
    // Papers write n for all the data where -m is a block.
    g_autofree char *let = g_strdup_printf("n=p*m%s%s", *c->let ? ";" : "", c->let);
    AuditOptions all = *o;
    all.let = let;
    Claim *of_all = !collectives[c->collective].vector && expression_uses(c->value, "n")
                        ? make_claim(&all, words, c->value, c->kind, c->quantity, NULL) // NULL if a let has n
                        : NULL;
    if (of_all)
        g_ptr_array_add(claims, of_all);
    return TRUE;
}

static gboolean read_claims(const AuditOptions *o, char **words, GPtrArray *claims, gboolean *paper, GError **error)
{
    if (o->claim)
        return own_claim(o, words, claims, paper, error);
    if (words[0])
        return bad_input(error, "COLLECTIVE ALGORITHM needs --claim; allowed: --collective %s", words[0]);
    if (o->kind || o->let || o->where || o->without || o->params)
        return bad_input(error,
                         "--as, --let, --where, --without and --param apply to --claim; allowed: with --claim EXPR");
    for (char **path = o->tables; path && *path; path++)
        if (!claims_read(*path, claims, error))
            return FALSE;
    g_autofree char *folder = share_path(SHARE_CLAIMS, NULL);
    return (o->tables || claims_read_folder(folder, claims, error)) && choose(o, claims, error);
}

static gboolean any_formula(const GPtrArray *claims, GError **error)
{
    for (guint i = 0; i < claims->len; i++)
        if (*((const Claim *)g_ptr_array_index(claims, i))->text)
            return TRUE;
    return bad_input(error, "--expect exact: no claim has a formula; allowed: at least one claim that has one");
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

// Removes the judgement of a user's claim with n for all the data, and says in that of the claim if it is exact so.
static void judge_all_data(Audit *a)
{
    if (a->results->len < 2)
        return;
    Audited *const own = &g_array_index(a->results, Audited, 0), *const all = own + 1;
    if (own->verdict.kind != VERDICT_EXACT && all->verdict.kind == VERDICT_EXACT) {
        char *const text = g_strdup_printf("%s; exact where n is all the data (--let n=p*m)", own->verdict_text);
        g_free(own->verdict_text);
        own->verdict_text = text;
    }
    g_array_set_size(a->results, 1);
}

// Claims are about alpha, beta and gamma, or about LogGP, which they name by its letters; so there is one model to name.
static gboolean check_model(const char *name, GError **error)
{
    static const char *const known[] = {"hockney", NULL};
    int given;
    return !name || nearest_find("model of audit", name, known, &given, error);
}

static int audit(const AuditOptions *o, char **words, GError **error)
{
    static const char *const expected[] = {"exact", NULL}, *const transfers[] = {"rendezvous", "eager", NULL};
    g_autoptr(GPtrArray) claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) pages = {0};
    int expect, transfer = 0;
    gboolean paper = FALSE; // the formula was in the notation of papers
    if ((o->expect && !nearest_find("verdict to expect", o->expect, expected, &expect, error)) ||
        (o->transfer && !nearest_find("transfer", o->transfer, transfers, &transfer, error)))
        return 2;
    if (o->grid < 1 || o->grid > 2)
        return bad_input(error, "--grid %d; allowed: 1 or 2", o->grid), 2;
    g_autoptr(Platform) platform = ask_platform(o->platform ? o->platform : PLATFORM_DEFAULT, error);
    if (!platform || !check_model(o->model, error) || !read_claims(o, words, claims, &paper, error) ||
        (o->expect && !any_formula(claims, error)) || !answer_open(&answer, &o->answer, error) ||
        (o->report && !output_set_folder(&pages, o->report, error)))
        return 2;
    ask_leave_links_out(platform);
    const gboolean flattened = platform_flatten(platform);
    g_autofree char *parameters = audit_parameters_path();
    const TruthOptions options = {o->grid, transfer == 1, platform};
    Foresee time = foresee_begin();
    foresee_claims(&time, claims->len);
    foresee_say(&time, "judging these claims");
    if (claims->len > 1 && !o->claim && !o->report && !o->answer.output)
        stop_begin();
    g_autoptr(Audit) a = audit_run(claims, &options, parameters, error);
    if (a && a->results->len == 0)
        stop_end(0, claims->len, "claims");
    if (a && o->claim)
        judge_all_data(a);
    if (!a || (o->report && !(audit_pages(a, &pages, error) && output_set_close(&pages, error))))
        return 2;
    if (!o->report || o->answer.format || o->answer.output) // a report alone is the answer
        audit_report(&answer, a, platform, transfers[transfer], o->claim != NULL, paper ? o->claim : NULL, flattened);
    const gboolean written = answer_close(&answer, error);
    if (written)
        stop_end(a->results->len, claims->len, "claims");
    return !written ? 2 : o->expect && !all_exact(a) ? 1 : 0;
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
        ENTRY_STRING("claim", 0, o.claim, "judge this formula for COLLECTIVE ALGORITHM", "EXPR"),
        ENTRY_STRING("as", 0, o.kind, "claim: equality (default), upper, lower or order", "KIND"),
        ENTRY_STRING("let", 0, o.let, "claim: define letters, 'n=p*m;c=ceil(log2(p))'", "NAME=EXPR;.."),
        ENTRY_STRING("where", 0, o.where, "claim: points it is meant for, 'popcount(p)>1'", "EXPR"),
        ENTRY_STRING("without", 0, o.without, "claim: costs it omits on purpose, such as gamma", "COST;.."),
        ENTRY_STRINGS("param", o.params, "claim: set a parameter, such as segment=64K", "NAME=VALUE"),
        {"claims", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.tables, "replaces the claims that collsim has", "FILE.csv"},
        ENTRY_STRING("source", 0, o.source, "only claims of this source: 001, an author, a title", "NAME"),
        ENTRY_STRING("collective", 0, o.collective, "judge only the claims about this collective", "NAME"),
        ENTRY_STRING("expect", 0, o.expect, "make the exit status 1 if a claim is not exact", "exact"),
        ENTRY_STRING("transfer", 0, o.transfer, "rendezvous (default) or eager", "NAME"),
        ENTRY_STRING("platform", 0, o.platform, "machine of times (default generic-100g)", "NAME|FILE"),
        ENTRY_STRING("model", 0, o.model, "hockney, the only one that claims are about", "NAME"),
        {"grid", 0, 0, G_OPTION_ARG_INT, &o.grid, "2: twice as many points, twice as far", "N"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &o.report, "write a report: Markdown, HTML and pictures", "DIR"},
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "[COLLECTIVE ALGORITHM]", help_text, entries, 0, 2, &words, error))
        return 2;
    folder_synonym(&o);
    return audit(&o, words, error);
}
