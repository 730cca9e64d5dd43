#include "libraries/decide/selection.h"
#include <string.h>

gboolean selection_composes(const Selection *s)
{
    return s->kind == SELECTION_COMPOSITIONS;
}

const GArray *selection_rows(const Selection *s)
{
    return s->rows;
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

RuleCall selection_call(const DecideCall *c)
{
    const CollectiveInfo *info = &collectives[c->collective];
    const gint64 p = c->p, elem = (gint64)c->elem, bytes = (gint64)c->m, count = elem > 0 ? bytes / elem : 0;
    const gboolean elements = c->collective == COLL_GATHER || c->collective == COLL_SCATTER; // in place of bytes
    const gboolean sums = c->collective == COLL_ALLGATHERV, whole = c->group == DECIDE_ON_ALL,
                   shared = whole && c->nodes && c->nodes->n < c->p;
    gint64 total = elements ? count : bytes, all;
    // all blocks together; a vector counts once for each rank, apart from that of reduce_scatter
    if (c->collective != COLL_REDUCE_SCATTER && __builtin_mul_overflow(total, p, &total))
        total = G_MAXINT64;
    all = count;
    if (sums && __builtin_mul_overflow(count, p, &all))
        all = G_MAXINT64;
    RuleCall call = {.collective = selection_collective(info->name),
                     .hierarchy = c->group == DECIDE_ON_NODE    ? SELECT_NODE
                                  : c->group == DECIDE_ON_ROOTS ? SELECT_NODE_ROOTS
                                  : shared                      ? SELECT_PARENT
                                                                : SELECT_FLAT};
    call.numbers[SELECT_RANKS] = p;
    call.numbers[SELECT_PER_NODE] = c->group == DECIDE_ON_NODE ? p : shared ? (p + c->nodes->n - 1) / c->nodes->n : 1;
    call.numbers[SELECT_AVERAGE] = bytes;
    call.numbers[SELECT_TOTAL] = total;
    call.numbers[SELECT_COUNT] = all;
    call.flags[SELECT_POW2] = selection_pow2(p) == p;
    call.flags[SELECT_ONE_NODE] = shared && c->nodes->n == 1;
    call.flags[SELECT_CONSECUTIVE] = shared && c->nodes->ordered;
    call.flags[SELECT_BELOW_POW2] = all < selection_pow2(p);
    call.flags[SELECT_COMMUTATIVE] = call.flags[SELECT_BUILT_IN] = c->commutative;
    call.flags[SELECT_REGULAR] = !c->counts && (c->collective != COLL_REDUCE_SCATTER || count % p == 0);
    call.flags[SELECT_IN_PLACE] = c->in_place;
    return call;
}

SelectionRun selection_run(const Selection *s, const RuleCall *call)
{
    SelectionRun run = {.row = rule_find(s->rows, call)};
    const LibraryAlgorithm *a = run.row ? run.row->algorithm : NULL;
    if (!run.row) {
        run.ends = "MPI_Init ends the program";
    } else if (run.row->end == ROW_COMM) {
        run.ends = "the program ends when the communicator is made";
    } else if (run.row->end == ROW_REFUSED) {
        run.ends = "the condition cannot be asked about this collective";
    } else if (run.row->end == ROW_TREE) {
        return run;
    } else if (run.row->end == ROW_NOTHING) {
        run.ends = "the tree has no algorithm for it";
    } else if (strcmp(a->of, selection_collectives[call->collective].name) != 0) {
        run.ends = "the algorithm is one of another collective";
    } else if (!call->flags[SELECT_INTER] && strstr(a->function, "_inter_")) {
        run.ends = "the algorithm is for intercommunicators";
    } else if (selection_unmet(a->ends_without, call)) {
        run.ends = "a need of the algorithm is not met";
    } else if (strcmp(tables_short_name(a->function), "nb") == 0) {
        RuleCall other = *call;
        g_autofree char *name = g_strdup_printf("i%s", a->of);
        other.collective = selection_collective(name);
        const SelectionRun inner = selection_run(s, &other);
        run.ends = inner.ends;
        run.wrong = inner.wrong;
        run.nonblocking = inner.row;
    } else {
        run.wrong = selection_unmet(a->wrong_without, call) != 0;
    }
    return run;
}

SelectNumber selection_bytes(const Selection *s, int collective)
{
    const guint numbers = selection_collectives[collective].numbers;
    if (!(numbers & 1u << SELECT_AVERAGE))
        return SELECT_TOTAL;
    for (guint i = 0; i < s->rows->len; i++) {
        const LibraryRule *row = &g_array_index(s->rows, LibraryRule, i);
        if (row->collective == collective &&
            (row->when.numbers[SELECT_AVERAGE].first > 0 || row->when.numbers[SELECT_AVERAGE].last != RULES_NO_LIMIT))
            return SELECT_AVERAGE;
    }
    for (guint i = 0; i < s->rows->len; i++) {
        const LibraryRule *row = &g_array_index(s->rows, LibraryRule, i);
        if (row->collective == collective &&
            (row->when.numbers[SELECT_TOTAL].first > 0 || row->when.numbers[SELECT_TOTAL].last != RULES_NO_LIMIT))
            return SELECT_TOTAL;
    }
    return SELECT_AVERAGE;
}
