#include "decide/decide.h"
#include "api/integers.h"
#include "api/make.h"
#include "base/number.h"
#include "decide/variant.h"
#include "registry/composition.h"
#include <string.h>

void decision_free(Decision *d)
{
    if (!d)
        return;
    g_free(d->missing);
    g_ptr_array_unref(d->parts);
    g_free(d);
}

static void free_part(gpointer part)
{
    decision_free(part);
}

static Decision *new_decision(const Tables *tables, const DecideCall *call)
{
    Decision *d = g_new0(Decision, 1);
    d->library = tables->library;
    d->collective = call->collective;
    d->p = call->p;
    d->parts = g_ptr_array_new_with_free_func(free_part);
    return d;
}

// Adds a remark about what is not known, unless the decision has it.
static void G_GNUC_PRINTF(2, 3) add_missing(Decision *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    if (d->missing && strstr(d->missing, text))
        return;
    char *all = d->missing ? g_strdup_printf("%s; %s", d->missing, text) : g_strdup(text);
    g_free(d->missing);
    d->missing = all;
}

// ---- Bytes ----------------------------------------------------------------------------------------------------------

// Returns the bytes of all blocks together, or of the vector.
static size_t total(const DecideCall *c)
{
    size_t sum = 0;
    if (!c->counts)
        return collectives[c->collective].vector ? c->m : c->m * (size_t)c->p;
    for (int i = 0; i < c->p; i++)
        sum += c->counts->len[i];
    return sum;
}

size_t decide_bytes(const DecideCall *c)
{
    switch (c->collective) {
    case COLL_BCAST:
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_REDUCE_SCATTER:
        return total(c);
    case COLL_ALLGATHERV:
        return total(c) / (size_t)c->p;
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return c->m;
    default:
        return 0; // the others do not look at them
    }
}

// ---- Entries --------------------------------------------------------------------------------------------------------

// Returns the entry with the alias PREFIX:NAME, and sets *par to the parameters that go with this name.
static const CollAlgorithm *entry_of(Collective collective, const char *prefix, const char *name, CollParams *par)
{
    g_autofree char *alias = g_strconcat(prefix, name, NULL);
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; k < COLL_MAX_ALIASES && algorithms[i]->aliases[k]; k++)
            if (algorithms[i]->collective == collective && strcmp(algorithms[i]->aliases[k], alias) == 0) {
                *par = algorithm_defaults(algorithm_find(collective, alias));
                par->of = algorithms[i];
                return algorithms[i];
            }
    return NULL;
}

// Returns TRUE if the entry itself runs, and not its fallback.
static gboolean runs(const CollAlgorithm *entry, const CollParams *par, const DecideCall *c, const char **why)
{
    const Coll all = {
        .p = c->p, .elem = c->elem, .commutative = c->commutative, .nodes = c->nodes, .counts = c->counts, .par = *par};
    Coll view = coll_make(c->collective, &all, 0, c->m, NULL);
    *why = NULL;
    return coll_resolve(entry, &view, why) == entry;
}

const CollAlgorithm *decide_entry(const Tables *tables, const LibraryAlgorithm *a, CollParams *par)
{
    static const char *const prefixes[][2] = {[LIBRARY_OMPI] = {"ompi:", "ompi-main:"}, [LIBRARY_MPICH] = {"mpich:"}};
    const Library *library = tables->library;
    const gboolean later = library->id == LIBRARY_OMPI_MAIN; // its own meaning of an id comes first
    g_autofree char *name = a->id ? g_strdup_printf("%d", a->id) : g_strdup(a->name);
    const CollAlgorithm *entry = entry_of(a->collective, prefixes[library->family][later], name, par);
    if (!entry && library->family == LIBRARY_OMPI)
        entry = entry_of(a->collective, prefixes[library->family][!later], name, par);
    return entry;
}

// Sets a parameter of the entry. Returns FALSE if the entry lacks it or does not allow the value.
static gboolean set(Decision *d, const char *name, int64_t value)
{
    const CollParam *param = algorithm_param(d->entry, name);
    if (param && param->cut)
        value = MIN(value, MAX(d->p - 1, 1));
    const gboolean allowed = param && value >= param->min && value <= param->max;
    if (allowed)
        param_set(param, &d->par, value);
    return allowed;
}

// Keeps the entry of a decision if it can run on this call, and says why if it cannot.
static void check_entry(Decision *d, const DecideCall *c)
{
    const char *why;
    if (!d->entry || runs(d->entry, &d->par, c, &why))
        return;
    add_missing(d, "%s of the library runs here, but our %s does not: %s", d->name, d->entry->name, why);
    d->entry = NULL;
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Returns the call of a part: the same data, as another collective means its size.
static DecideCall part_call(const DecideCall *c, Collective of, int p, DecideGroup group)
{
    DecideCall part = {.collective = of,
                       .group = group,
                       .tree = c->tree,
                       .from = c->from,
                       .p = p,
                       .elem = c->elem,
                       .commutative = c->commutative,
                       .no_han = c->no_han,
                       .no_compositions = c->no_compositions};
    const size_t sum = total(c);
    part.m = c->collective == COLL_BARRIER ? of != COLL_BARRIER // a release is a byte
             : collectives[of].vector      ? sum
                                           : sum / (size_t)c->p;
    part.elem = c->collective == COLL_BARRIER ? 1 : c->elem;
    if (collectives[of].counts && p == c->p)
        part.counts = c->counts;
    return part;
}

// Returns the field of the parameters that holds a part.
static const CollAlgorithm **part_at(const CollParam *param, CollParams *par)
{
    return &par->part[(param->field - offsetof(CollParams, part)) / sizeof *par->part];
}

// Takes the decision on a part into the entry's parameters and into d->parts. `decided` may be NULL.
static void take_part(Tables *tables, Decision *d, const CollParam *param, Decision *decided)
{
    const CollAlgorithm **part = part_at(param, &d->par);
    if (decided && decided->entry)
        *part = variant_find(tables, decided->entry, &decided->par);
    if (decided && decided->missing)
        add_missing(d, "%s", decided->missing);
    if (!decided || !decided->entry)
        add_missing(d, "our %s takes %s for its %s", d->entry->name, (*part)->name, param->name);
    g_ptr_array_add(d->parts, decided);
}

// Decides a part that runs within each node; nodes of different sizes must agree. A node of one rank does nothing.
static void decide_within(Tables *tables, Decision *d, const CollParam *param, const DecideCall *c)
{
    Decision *first = NULL;
    for (int i = 0; i < c->nodes->n_sizes; i++) {
        const int p = coll_nodes_size(c->nodes, c->nodes->sized[i]);
        DecideCall part = part_call(c, param->of, p, DECIDE_ON_NODE);
        if (d->par.segment > 0 && collectives[param->of].vector)
            part.m = MIN(part.m, d->par.segment); // each segment is a call
        Decision *decided = p > 1 ? decide_call(tables, &part) : NULL;
        if (!first) {
            first = decided;
            continue;
        }
        if (decided && (decided->entry != first->entry ||
                        (first->entry && params_compare(first->entry, &decided->par, &first->par) != 0)))
            add_missing(d, "nodes of different sizes choose different algorithms for the %s", param->name);
        decision_free(decided);
    }
    take_part(tables, d, param, first);
}

// Returns parameter i of the entry if it is a part, otherwise NULL.
static const CollParam *part_param(const CollAlgorithm *a, int i)
{
    return i < algorithm_n_params(a) && a->params[i].kind == PARAM_ALGORITHM ? &a->params[i] : NULL;
}

// ---- Needs ----------------------------------------------------------------------------------------------------------

// Returns TRUE if all blocks have one length, as far as a library asks.
static gboolean is_regular(const DecideCall *c)
{
    return c->collective != COLL_REDUCE_SCATTER || (!c->counts && c->m / c->elem % (size_t)c->p == 0);
}

// Returns the need of an id that is not met, or NULL.
static const char *unmet(const LibraryAlgorithm *a, const DecideCall *c, size_t segment)
{
    const size_t p = (size_t)c->p, count = total(c) / c->elem, pow2 = (size_t)pow2_floor(c->p),
                 whole = segment / c->elem, per_segment = whole ? whole : count, less = count / 2;
    const struct {
        LibraryNeeds need;
        gboolean met;
        const char *otherwise;
    } needs[] = {
        {LIBRARY_NEEDS_POW2, pow2 == p, "p is not a power of two"},
        {LIBRARY_NEEDS_EVEN, p % 2 == 0, "p is odd"},
        {LIBRARY_NEEDS_TWO, p == 2, "p is not 2"},
        {LIBRARY_NEEDS_COUNT_P, count >= p, "count < p"},
        {LIBRARY_NEEDS_COUNT_POW2, count >= pow2, "count < 2^floor(log2 p)"},
        {LIBRARY_NEEDS_SEGMENTS, count / p >= per_segment, "count < p segments"},
        {LIBRARY_NEEDS_HALVES, less > 0 && MAX(segment, segment ? c->elem : 0) <= less * c->elem,
         "a half of the vector is less than an element or a segment"},
        {LIBRARY_NEEDS_COMMUTATIVE, c->commutative, "the operation is not commutative"},
        {LIBRARY_NEEDS_INT, total(c) / c->elem <= INT_MAX, "p times count is above 2^31 - 1"},
        {LIBRARY_NEEDS_REGULAR, is_regular(c), "the blocks differ in length"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(needs); i++)
        if (a->needs & (int)needs[i].need && !needs[i].met)
            return needs[i].otherwise;
    return NULL;
}

// ---- Open MPI -------------------------------------------------------------------------------------------------------

static const TunedRow *find_tuned(const Tables *tables, const DecideCall *c, size_t bytes)
{
    const gboolean alone = c->nodes && c->nodes->n == c->p;
    for (guint i = 0; i < tables->tuned->len; i++) {
        const TunedRow *row = &g_array_index(tables->tuned, TunedRow, i);
        if (row->collective == c->collective && c->p >= row->p_min && c->p <= row->p_max && bytes >= row->bytes_min &&
            bytes <= row->bytes_max && (row->commutative == DECIDE_ANY || row->commutative == c->commutative) &&
            (row->nodes == TUNED_NODES_ANY || (row->nodes == TUNED_NODES_ONE_EACH) == alone))
            return row;
    }
    return NULL;
}

// Finds the entry of an id, and gives it what the decision passes.
static void find_tuned_entry(const Tables *tables, Decision *d, const LibraryAlgorithm *a)
{
    const LibraryAlgorithm *same = a->takes & TAKES_FANOUT && d->fanout <= 1 && a->one_fanout
                                       ? tables_algorithm(tables, a->collective, a->one_fanout)
                                       : NULL;
    d->entry = decide_entry(tables, same ? same : a, &d->par);
    if (!d->entry) {
        add_missing(d, "no algorithm here sends the messages of %s %d", d->library->title, a->id);
        return;
    }
    if (a->takes & TAKES_SEGMENT) {
        set(d, "segment", (int64_t)d->segment);
        set(d, "first_segment", (int64_t)d->segment);
    }
    if (a->takes & TAKES_FANOUT) {
        set(d, "chains", MAX(d->fanout, 1));
        set(d, "radix", d->fanout);
    }
    if (a->takes & TAKES_MAX_REQUESTS)
        set(d, "max_requests", d->max_requests);
}

// Runs an id, or the fallback that is left where needs are not met, with the parameters that d has.
static void run_tuned(Tables *tables, const DecideCall *c, Decision *d, int id)
{
    const LibraryAlgorithm *a = tables_algorithm(tables, c->collective, id);
    for (const char *why; a && (why = unmet(a, c, d->segment));) {
        d->why = d->why ? d->why : why;
        if (a->else_one_chain)
            d->fanout = 1;
        a = tables_algorithm(tables, c->collective, a->else_runs);
    }
    d->name = a ? a->name : "error";
    d->id = a ? a->id : 0;
    if (!a) {
        d->why = d->why ? d->why : "its id is unknown";
        add_missing(d, "%s refuses the call: %s", d->library->title, d->why);
        return;
    }
    find_tuned_entry(tables, d, a);
    const CollParam *param;
    for (int i = 0; d->entry && i < algorithm_n_params(d->entry); i++)
        if ((param = part_param(d->entry, i))) {
            DecideCall part = part_call(c, param->of, c->p, DECIDE_ON_ALL);
            part.nodes = c->nodes;
            part.decide_part = c->decide_part;
            take_part(tables, d, param,
                      c->decide_part ? c->decide_part(tables, &part, c->from) : decide_call(tables, &part));
        }
    check_entry(d, c);
}

// Decides by the table of the component tuned.
static void decide_tuned(Tables *tables, const DecideCall *c, Decision *d)
{
    const TunedRow *row = find_tuned(tables, c, d->bytes);
    if (!row) {
        d->name = "basic linear";
        add_missing(d, "%s leaves %s to its component basic, which is not in the data", d->library->title,
                    collectives[c->collective].name);
        return;
    }
    d->chosen = row->id;
    d->segment = row->segment;
    d->fanout = row->fanout;
    d->max_requests = row->max_requests;
    run_tuned(tables, c, d, row->id);
}

// Decides by HAN. Returns FALSE if HAN leaves the call to tuned.
static gboolean decide_han(Tables *tables, const DecideCall *c, Decision *d)
{
    const char *name = tables->han[c->collective], *why;
    if (!name || c->no_han || !c->nodes || c->nodes->n == 1)
        return FALSE;
    if (collectives[c->collective].reduces && !c->commutative)
        return FALSE;
    if (c->nodes->n == c->p) {
        d->name = "han";
        add_missing(d, "HAN takes ranks that share no node too, and what it then runs is not in the data");
        return TRUE;
    }
    d->entry = entry_of(c->collective, "han:", name, &d->par);
    g_assert(d->entry);
    if (!runs(d->entry, &d->par, c, &why)) { // nodes of different sizes
        d->entry = NULL;
        return FALSE;
    }
    d->name = "han";
    const CollParam *param;
    for (int i = 0; i < algorithm_n_params(d->entry); i++) {
        if (!(param = part_param(d->entry, i)))
            continue;
        if (param->within)
            decide_within(tables, d, param, c);
        else {
            add_missing(d, "what HAN runs between the nodes is not in the data");
            take_part(tables, d, param, NULL);
        }
    }
    check_entry(d, c);
    return TRUE;
}

// ---- MPICH ----------------------------------------------------------------------------------------------------------

// Returns the last part of MPICH's name for a function: "recursive_doubling", "alpha".
static const char *short_name(const char *name)
{
    static const char *const infixes[] = {"_intra_composition_", "_intra_", "_allcomm_"};
    for (size_t i = 0; i < G_N_ELEMENTS(infixes); i++) {
        const char *at = strstr(name, infixes[i]);
        if (at)
            return at + strlen(infixes[i]);
    }
    return name;
}

static gboolean flag_fits(int asked, gboolean is)
{
    return asked == DECIDE_ANY || asked == is;
}

static gboolean hierarchy_fits(TreeHierarchy asked, const DecideCall *c)
{
    const gboolean shared = c->group == DECIDE_ON_ALL && c->nodes && c->nodes->n < c->p;
    switch (asked) {
    case TREE_PARENT:
        return shared;
    case TREE_ONE_NODE:
        return shared && c->nodes->n == 1;
    case TREE_FLAT:
        return c->group == DECIDE_ON_ALL && !shared;
    case TREE_NODE:
        return c->group == DECIDE_ON_NODE;
    case TREE_NODE_ROOTS:
        return c->group == DECIDE_ON_ROOTS;
    default:
        return TRUE;
    }
}

static const TreeRow *find_tree(const GArray *rows, const DecideCall *c)
{
    const size_t sum = total(c), count = c->m / c->elem, pow2 = (size_t)pow2_floor(c->p);
    const gboolean regular = is_regular(c);
    const gboolean consecutive = c->group == DECIDE_ON_ALL && c->nodes && c->nodes->n < c->p && c->nodes->ordered;
    for (guint i = 0; i < rows->len; i++) {
        const TreeRow *row = &g_array_index(rows, TreeRow, i);
        if (row->collective == c->collective && c->p >= row->p_min && c->p <= row->p_max &&
            flag_fits(row->pow2, pow2 == (size_t)c->p) && flag_fits(row->consecutive, consecutive) &&
            flag_fits(row->commutative, c->commutative) && flag_fits(row->built_in, c->commutative) &&
            flag_fits(row->regular, regular) && flag_fits(row->in_place, c->in_place) &&
            hierarchy_fits(row->hierarchy, c) && flag_fits(row->below_pow2, count < pow2) && c->m >= row->average_min &&
            c->m <= row->average_max && sum >= row->total_min && sum <= row->total_max)
            return row;
    }
    return NULL;
}

// Returns the only algorithm that the library has for a collective, or NULL.
static const LibraryAlgorithm *only_one(const Tables *tables, Collective collective)
{
    const LibraryAlgorithm *only = NULL;
    int n = 0;
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        only = a->collective == collective ? a : only;
        n += a->collective == collective;
    }
    return n == 1 ? only : NULL;
}

// Decides all parts of an entry over nodes.
static void decide_parts(Tables *tables, const DecideCall *c, Decision *d)
{
    const CollParam *param;
    for (int i = 0; i < algorithm_n_params(d->entry); i++) {
        if (!(param = part_param(d->entry, i)))
            continue;
        // The leaders run the collective itself; another one is within the nodes, as a barrier's release.
        const gboolean within = param->within || param->of != c->collective;
        const DecideCall part = part_call(c, param->of, c->nodes->n, DECIDE_ON_ROOTS);
        if (within)
            decide_within(tables, d, param, c);
        else
            take_part(tables, d, param, decide_call(tables, &part));
    }
}

// Gives the entry what a leaf passes, such as "tree_type=kary k=4".
static void take_leaf(Decision *d, const LibraryAlgorithm *a, const char *params)
{
    g_auto(GStrv) given = g_strsplit(params, " ", -1), known = g_strsplit(a->leaf, " ", -1);
    for (char **word = given; *word; word++) {
        const char *equals = strchr(*word, '='), *due = NULL;
        int value;
        for (char **other = known; equals && *other; other++)
            if (strncmp(*other, *word, (size_t)(equals + 1 - *word)) == 0)
                due = *other + (equals + 1 - *word);
        if (!due || strcmp(due, equals + 1) == 0)
            continue;
        const char *name = strcmp(due, "RADIX") == 0 ? "radix" : strcmp(due, "SEGMENT") == 0 ? "segment" : NULL;
        if (!name || !number_int(equals + 1, 0, INT_MAX, &value) || !set(d, name, value))
            add_missing(d, "our %s has not %s's %s", d->entry->name, d->library->title, *word);
    }
}

// Runs an algorithm of MPICH, or another one that the library calls d->name if `a` is NULL. `params` is what a leaf of a
// tree passes to it.
static void run_tree(Tables *tables, const DecideCall *c, Decision *d, const LibraryAlgorithm *a, const char *params)
{
    d->entry = a ? decide_entry(tables, a, &d->par) : NULL;
    if (!d->entry) {
        add_missing(d, "no algorithm here sends the messages of %s's %s", d->library->title, d->name);
        return;
    }
    take_leaf(d, a, params);
    if (algorithm_needs_nodes(d->entry) && c->nodes && c->nodes->n > 1 && c->nodes->n < c->p)
        decide_parts(tables, c, d);
    if (!a->own_fallback)
        check_entry(d, c);
}

// Returns what the library's own tree has for a call. A collective that is not in the table has one algorithm.
static DecideLeaf own_leaf(const Tables *tables, const DecideCall *c)
{
    const TreeRow *row = find_tree(tables->tree, c);
    const LibraryAlgorithm *only = row ? NULL : only_one(tables, c->collective);
    return (DecideLeaf){row ? row->runs : only ? only->name : "unknown", row ? row->params : "", NULL};
}

// Decides by MPICH's tree, or by the one in its place.
static void decide_tree(Tables *tables, const DecideCall *c, Decision *d)
{
    const DecideLeaf leaf = c->tree ? c->tree(c, c->from) : own_leaf(tables, c);
    d->name = leaf.runs ? leaf.runs : "nothing";
    if (leaf.ends)
        add_missing(d, "the program ends: %s", leaf.ends);
    else
        run_tree(tables, c, d, tables_named(tables, c->collective, short_name(leaf.runs)), leaf.params);
}

// Decides by the compositions of ch4. Returns FALSE if the tree decides for all ranks.
static gboolean decide_composition(Tables *tables, const DecideCall *c, Decision *d)
{
    const TreeRow *row = find_tree(tables->compositions, c);
    const CollAlgorithm *entry = row ? entry_of(c->collective, "mpich-ch4:", short_name(row->runs), &d->par) : NULL;
    if (!entry || strcmp(row->params, "all ranks") == 0 || !c->nodes)
        return FALSE;
    DecideCall node = *c;
    node.group = DECIDE_ON_NODE;
    d->name = row->runs;
    if (c->nodes->n == 1) { // then the part within the node is all there is, except in barrier and scan
        if (collectives[c->collective].rooted || c->collective == COLL_ALLREDUCE)
            decide_tree(tables, &node, d);
        else
            add_missing(d, "no algorithm here is MPICH's %s over one node", collectives[c->collective].name);
        return TRUE;
    }
    d->entry = entry;
    decide_parts(tables, c, d);
    check_entry(d, c);
    return TRUE;
}

// ---- All libraries --------------------------------------------------------------------------------------------------

Decision *decide_call(Tables *tables, const DecideCall *c)
{
    const gboolean part = c->group != DECIDE_ON_ALL;
    Decision *d = new_decision(tables, c);
    d->bytes = decide_bytes(c);
    if (tables->library->family == LIBRARY_MPICH) {
        if (part || c->no_compositions || !decide_composition(tables, c, d))
            decide_tree(tables, c, d);
    } else if (c->p == 1) { // the component self, which sends nothing
        d->name = "self";
        d->entry = entry_of(c->collective, "ompi:", "1", &d->par);
        if (!d->entry)
            add_missing(d, "no algorithm here is %s's on one rank", d->library->title);
    } else if (part || !decide_han(tables, c, d)) {
        decide_tuned(tables, c, d);
    }
    return d;
}

Decision *decide_told(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a)
{
    return decide_passing(tables, call, a, NULL);
}

Decision *decide_passing(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a, const DecidePassed *passed)
{
    DecideCall without = *call;
    const DecideCall *c = &without;
    Decision *d = new_decision(tables, c);
    without.no_han = TRUE;
    d->bytes = decide_bytes(c);
    d->told = TRUE;
    d->chosen = a->id;
    if (passed) {
        d->segment = passed->segment;
        d->fanout = passed->fanout;
        d->max_requests = passed->max_requests;
    }
    if (tables->library->family == LIBRARY_OMPI)
        run_tuned(tables, c, d, a->id);
    else if ((d->why = unmet(a, c, 0)))
        decide_tree(tables, c, d);
    else {
        d->name = a->name;
        run_tree(tables, c, d, a, "");
    }
    return d;
}

gboolean decide_can(const LibraryAlgorithm *algorithm, const DecideCall *c)
{
    LibraryAlgorithm a = *algorithm;
    a.needs &= ~(LIBRARY_NEEDS_SEGMENTS | LIBRARY_NEEDS_HALVES);
    return !unmet(&a, c, 0);
}

gboolean decide_takes(const LibraryAlgorithm *a, const CollParam *param)
{
    static const struct {
        const char *name;
        int takes;
    } names[] = {{"segment", TAKES_SEGMENT},
                 {"first_segment", TAKES_SEGMENT},
                 {"chains", TAKES_FANOUT},
                 {"radix", TAKES_FANOUT | TAKES_RADIX},
                 {"max_requests", TAKES_MAX_REQUESTS}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].name, param->name) == 0)
            return (a->takes & names[i].takes) != 0;
    return FALSE;
}

gboolean decide_file_takes(const Tables *tables, const LibraryAlgorithm *a, const CollParam *param)
{
    // Lines of version 1 have no field for it, and neither have the files of MPICH.
    const gboolean lacks = tables->library->id == LIBRARY_OMPI_41 || tables->library->family == LIBRARY_MPICH,
                   unsaid = lacks && strcmp(param->name, "max_requests") == 0;
    return decide_takes(a, param) && !unsaid;
}

gboolean decide_asks_nodes(const Tables *tables, gboolean no_han)
{
    gboolean asks = tables->library->family == LIBRARY_MPICH;
    for (int i = 0; i < N_COLLECTIVES && !no_han; i++)
        asks |= tables->han[i] != NULL;
    return asks;
}

// ---- Bounds ---------------------------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Adds the sizes of a call at which it, or a part of it, has `bytes` in the library's sense for the first time: for
// itself, as one of p blocks, or as p vectors.
static void add_size(GArray *sizes, const DecideCall *c, size_t bytes)
{
    const size_t p = (size_t)c->p, most = (size_t)1 << 60;
    const size_t forms[] = {bytes, bytes / p + (bytes % p > 0), bytes < most / p ? bytes * p : 0};
    for (size_t i = 0; i < G_N_ELEMENTS(forms) && bytes < most; i++) {
        const size_t m = (forms[i] + c->elem - 1) / c->elem * c->elem;
        g_array_append_val(sizes, m);
    }
}

GArray *decide_sizes(const Tables *tables, const DecideCall *c)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < tables->tuned->len; i++)
        add_size(sizes, c, g_array_index(tables->tuned, TunedRow, i).bytes_min);
    const GArray *const trees[] = {tables->tree, tables->compositions};
    for (size_t k = 0; k < G_N_ELEMENTS(trees); k++)
        for (guint i = 0; i < trees[k]->len; i++) {
            const TreeRow *row = &g_array_index(trees[k], TreeRow, i);
            add_size(sizes, c, row->average_max + (row->average_max < SIZE_MAX));
            add_size(sizes, c, row->total_max + (row->total_max < SIZE_MAX));
        }
    const int nodes = c->nodes ? c->nodes->n : c->p, per_node = (c->p + nodes - 1) / nodes;
    const int ranks[] = {c->p, nodes, per_node};
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) { // what algorithms need of the number of elements
        add_size(sizes, c, (size_t)ranks[i] * c->elem);
        add_size(sizes, c, (size_t)pow2_floor(ranks[i]) * c->elem);
    }
    add_size(sizes, c, 2 * c->elem);
    g_array_sort(sizes, by_size);
    for (guint i = sizes->len; i-- > 1;)
        if (g_array_index(sizes, size_t, i) == g_array_index(sizes, size_t, i - 1))
            g_array_remove_index(sizes, i);
    return sizes;
}

GArray *decide_ranks(const Tables *tables, Collective collective)
{
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < tables->tuned->len; i++) {
        const TunedRow *row = &g_array_index(tables->tuned, TunedRow, i);
        if (row->collective == collective)
            g_array_append_val(ranks, row->p_min);
    }
    for (guint i = 0; i < tables->tree->len; i++) {
        const TreeRow *row = &g_array_index(tables->tree, TreeRow, i);
        const int next = row->p_max < INT_MAX ? row->p_max + 1 : 1;
        if (row->collective == collective)
            g_array_append_val(ranks, next);
    }
    g_array_sort(ranks, by_number);
    for (guint i = ranks->len; i-- > 1;)
        if (g_array_index(ranks, int, i) == g_array_index(ranks, int, i - 1))
            g_array_remove_index(ranks, i);
    return ranks;
}

// ---- Text -----------------------------------------------------------------------------------------------------------

char *decision_id(const Decision *d)
{
    return d->id ? g_strdup_printf("%d", d->id) : g_strdup(short_name(d->name));
}

char *decision_text(const Decision *d)
{
    g_autoptr(GString) s = g_string_new(NULL);
    if (d->id)
        g_string_append_printf(s, "%d ", d->id);
    g_string_append(s, short_name(d->name));
    if (d->chosen != d->id)
        g_string_append_printf(s, " (chosen %d: %s)", d->chosen, d->why);
    int known = 0;
    for (guint i = 0; i < d->parts->len; i++) {
        const Decision *part = d->parts->pdata[i];
        if (!part)
            continue;
        g_autofree char *text = decision_text(part);
        g_string_append_printf(s, "%s%s: %s", known++ ? "; " : " (", collectives[part->collective].name, text);
    }
    if (known)
        g_string_append_c(s, ')');
    return g_strdup(s->str);
}

gboolean decide_alike(const Decision *a, const Decision *b)
{
    gboolean alike = a->entry == b->entry && (!a->entry || params_compare(a->entry, &a->par, &b->par) == 0);
    for (int i = 0; i < COLL_MAX_PARTS && alike && a->entry; i++)
        alike = a->par.part[i] == b->par.part[i];
    g_autofree char *one = decision_text(a), *two = decision_text(b);
    return alike && (a->entry || strcmp(one, two) == 0);
}

// Adds the options of Open MPI for the parameters that an id takes. An entry without chains has one chain.
static void add_parameters(GString *s, const LibraryAlgorithm *a, const CollAlgorithm *entry, const CollParams *par)
{
    static const struct {
        const char *param, *ending;
    } endings[] = {{"segment", "segmentsize"},
                   {"first_segment", "segmentsize"},
                   {"chains", "chain_fanout"},
                   {"max_requests", "max_requests"}};
    const char *collective = collectives[a->collective].name;
    for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
        const CollParam *param = algorithm_param(entry, endings[i].param);
        if (param && decide_takes(a, param))
            g_string_append_printf(s, " --mca coll_tuned_%s_algorithm_%s %" G_GINT64_FORMAT, collective,
                                   endings[i].ending, param_get(param, par));
    }
    if (a->one_fanout && !algorithm_param(entry, "chains"))
        g_string_append_printf(s, " --mca coll_tuned_%s_algorithm_chain_fanout 1", collective);
}

char *decide_setting(const Tables *tables, const LibraryAlgorithm *a, const CollAlgorithm *entry, const CollParams *par)
{
    CollParams usual;
    if (tables->library->family == LIBRARY_OMPI) {
        GString *s = g_string_new(tables->han[a->collective] ? "--mca coll ^han " : "");
        g_string_append_printf(s, "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_%s_algorithm %d",
                               collectives[a->collective].name, a->id);
        add_parameters(s, a, entry, par);
        return g_string_free(s, FALSE);
    }
    g_autofree char *collective = g_ascii_strup(collectives[a->collective].name, -1);
    if (decide_entry(tables, a, &usual) != entry || params_compare(entry, &usual, par) != 0)
        return NULL;
    return g_strdup_printf("MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_%s_INTRA_ALGORITHM=%s", collective, a->name);
}

char *decision_setting(const Decision *d, const Tables *tables)
{
    const gboolean tuned = d->library->family == LIBRARY_OMPI;
    const LibraryAlgorithm *a = tuned ? tables_algorithm(tables, d->collective, d->id)
                                      : tables_named(tables, d->collective, short_name(d->name));
    return a && d->entry && (tuned || d->parts->len == 0) ? decide_setting(tables, a, d->entry, &d->par) : NULL;
}

const LibraryAlgorithm *decide_algorithm(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams usual;
        if (a->collective != entry->collective || decide_entry(tables, a, &usual) != entry)
            continue;
        gboolean fits = TRUE;
        for (int k = 0; k < algorithm_n_params(entry); k++) {
            const CollParam *param = &entry->params[k];
            fits &= param->kind == PARAM_ALGORITHM || decide_takes(a, param) ||
                    param_get(param, &usual) == param_get(param, par);
        }
        if (fits)
            return a;
    }
    return NULL;
}
