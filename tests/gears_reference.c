#include "gears_reference.h"

// ---- Against the second simulator -----------------------------------------------------------------------------------

// Returns true if the tally has these counts, in the order of the case's terms; a count below 0 is not known.
static bool same_tally(const GearsCase *k, const ReferenceTally *tally, const int64_t *count)
{
    const Site *site = k->model.site;
    int64_t expected[GEARS_TERMS] = {0};
    int n = 0;
    for (int level = 0; level < REFERENCE_LEVELS; level++) { // a flat machine has one pair of terms for all levels
        expected[n] += tally->alpha[level];
        expected[n + 1] += tally->beta[level];
        n += site && level < site->n_levels ? 2 : 0;
    }
    n += site ? 0 : 2;
    expected[n++] = tally->gamma;
    const bool nics = site && site->nics, memory = site && site->memory;
    int64_t other = nics ? 0 : tally->nic_bytes + tally->nic_messages;
    for (int level = 0; level < REFERENCE_LEVELS; level++)
        other += memory ? 0 : tally->memory[level];
    if (nics) {
        expected[n++] = tally->nic_bytes;
        expected[n++] = tally->nic_messages;
    }
    for (int level = 0; memory && level < site->n_levels; level++)
        expected[n++] = tally->memory[level];
    return other == 0 && gears_same_terms(expected, count, n);
}

// Marks the ranks that do not come to their ends.
static void mark_stuck(const Replay *r, bool *stuck)
{
    for (guint i = 0; i < r->stuck->len; i++) {
        const Stuck *x = &g_array_index(r->stuck, Stuck, i);
        stuck[x->rank] |= !x->left_over;
    }
}

void gears_reference(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                     GearsCounts *counts)
{
    const int p = k->s->p;
    g_autofree ReferenceStamp *ends = g_new(ReferenceStamp, p);
    g_autofree int64_t *starts = g_new0(int64_t, p);
    g_autofree bool *stuck = g_new0(bool, p);
    bool passed;
    for (int rank = 0; k->start && rank < p; rank++)
        starts[rank] = (int64_t)k->start[rank];
    const int64_t t = reference_run(program, machine, starts, ends, &passed);
    g_autoptr(Replay) r = gears_replay(k, GEAR_EVENT, true, false, counts);
    mark_stuck(r, stuck);
    for (int rank = 0; rank < p; rank++) {
        int64_t got[GEARS_TERMS];
        const int n = gears_terms(k, r, &r->clocks[rank], got);
        const bool same =
            stuck[rank] || (r->clocks[rank].t == (double)ends[rank].t && (passed || same_tally(k, &ends[rank].n, got)));
        if (same && stuck[rank] == (ends[rank].t < 0))
            continue;
        g_autofree char *of_r = gears_terms_text(got, n), *of_x = reference_stamp_text(&ends[rank]);
        g_autofree char *what = g_strdup_printf("rank %d ends at %g (%s)%s, the second simulator says %s", rank,
                                                r->clocks[rank].t, of_r, stuck[rank] ? " (stuck)" : "", of_x);
        gears_fail(k, r, what);
    }
    if (t >= 0 && r->time_s != (double)t)
        gears_fail(k, r, "the time differs from the second simulator's");
    counts->stuck += t < 0;
    counts->compared++;
    counts->certificates += !passed;
}

// Returns the term as the site has it.
static CostTerm term_at(const Site *site, const ReferenceTerm *x)
{
    static const TermKind kinds[] = {
        [REFERENCE_ONE] = TERM_ONE,
        [REFERENCE_STEP] = TERM_STEP,
        [REFERENCE_SWAP] = TERM_SWAP,
        [REFERENCE_FAR] = TERM_FAR,
        [REFERENCE_GAP] = TERM_GAP,
        [REFERENCE_TAKE] = TERM_TAKE,
        [REFERENCE_SHARE] = TERM_SHARE,
        [REFERENCE_MEMORY] = TERM_MEMORY,
        [REFERENCE_MEMORY_STEP] = TERM_MEMORY_STEP,
        [REFERENCE_MEMORY_SWAP] = TERM_MEMORY_SWAP,
        [REFERENCE_NIC_RATE] = TERM_NIC_RATE,
        [REFERENCE_NIC_MESSAGES] = TERM_NIC_MESSAGES,
    };
    static const TermKind works[] = {TERM_REDUCE, TERM_COPY, TERM_FRESH};
    const bool work = x->kind == REFERENCE_WORK_RATE || x->kind == REFERENCE_WORK_TABLE;
    const bool leveled = !work && x->bytes >= 0 && site->prices->level_name;
    CostTerm term =
        term_of(work ? works[x->level] : kinds[x->kind], leveled ? site->prices->level_name[x->level] : NULL, 0);
    term.bytes = MAX(x->bytes, -1);
    return term;
}

// Returns true if the counts, by term of the site, are the terms. Terms that cost nothing do not count.
static bool same_reference_terms(const Site *site, const GArray *terms, const int64_t *count, int n)
{
    g_autofree bool *seen = g_new0(bool, n);
    for (guint i = 0; i < terms->len; i++) {
        const ReferenceTerm *x = &g_array_index(terms, ReferenceTerm, i);
        const CostTerm term = term_at(site, x);
        int at = 0;
        while (at < n && !term_equal(&site->term[at], &term))
            at++;
        if (at == n || (count[at] >= 0 && count[at] != x->count))
            return false;
        seen[at] = true;
    }
    for (int i = 0; i < n; i++)
        if (count[i] > 0 && site->term[i].value > 0 && !seen[i])
            return false;
    return true;
}

// Returns the counts with the names of their terms; free with g_free.
static char *named_terms_text(const Site *site, const int64_t *count, int n)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < n; i++) {
        g_autofree char *term = term_text(&site->term[i]);
        if (count[i])
            g_string_append_printf(s, " %d %s", (int)count[i], term);
    }
    return g_string_free(s, FALSE);
}

static void note_kinds(const GArray *terms, int64_t *paid)
{
    for (guint i = 0; terms && i < terms->len; i++) {
        const ReferenceTermKind kind = g_array_index(terms, ReferenceTerm, i).kind;
        paid[kind] += i == 0 || g_array_index(terms, ReferenceTerm, i - 1).kind != kind;
    }
}

void gears_reference_measured(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                              const ReferenceFigures *figures, GearsCounts *counts, int64_t *paid)
{
    const int p = k->s->p;
    g_autofree ReferenceEnd *ends = g_new(ReferenceEnd, p);
    g_autofree int64_t *starts = g_new0(int64_t, p);
    g_autofree bool *stuck = g_new0(bool, p);
    for (int rank = 0; k->start && rank < p; rank++)
        starts[rank] = (int64_t)k->start[rank];
    const int64_t t = reference_measured(program, machine, figures, starts, ends);
    g_autoptr(Replay) r = gears_replay(k, GEAR_EVENT, true, false, counts);
    mark_stuck(r, stuck);
    for (int rank = 0; rank < p; rank++) {
        int64_t got[GEARS_TERMS];
        const int n = gears_terms(k, r, &r->clocks[rank], got);
        note_kinds(ends[rank].terms, paid);
        const bool same = stuck[rank] || (r->clocks[rank].t == (double)ends[rank].t &&
                                          same_reference_terms(k->model.site, ends[rank].terms, got, n));
        if (same && stuck[rank] == (ends[rank].t < 0))
            continue;
        g_autofree char *of_r = named_terms_text(k->model.site, got, n), *of_x = reference_terms_text(ends[rank].terms);
        g_autofree char *what =
            g_strdup_printf("rank %d ends at %.17g (%s)%s, the second simulator says %" G_GINT64_FORMAT " (%s)", rank,
                            r->clocks[rank].t, of_r, stuck[rank] ? " (stuck)" : "", ends[rank].t, of_x);
        gears_fail(k, r, what);
    }
    if (t >= 0 && r->time_s != (double)t)
        gears_fail(k, r, "the time differs from the second simulator's");
    reference_ends_clear(ends, p);
    counts->stuck += t < 0;
    counts->compared++;
    counts->certificates++;
}

// ---- Counts ---------------------------------------------------------------------------------------------------------

void gears_report(const GearsCounts *n)
{
    g_test_message("%" G_GINT64_FORMAT " schedules; replays: event %" G_GINT64_FORMAT ", flow %" G_GINT64_FORMAT
                   ", chain %" G_GINT64_FORMAT ", of these %" G_GINT64_FORMAT
                   " with convoys, lockstep %" G_GINT64_FORMAT "; %" G_GINT64_FORMAT
                   " equal to the event gear's; %" G_GINT64_FORMAT " paths; %" G_GINT64_FORMAT
                   " stuck; %" G_GINT64_FORMAT " with fewer ranks than p; %" G_GINT64_FORMAT
                   " runs with the second simulator's certificates",
                   n->schedules, n->replays[GEAR_EVENT], n->replays[GEAR_FLOW], n->replays[GEAR_CHAIN], n->convoys,
                   n->replays[GEAR_LOCKSTEP], n->compared, n->paths, n->stuck, n->mirrored, n->certificates);
}
