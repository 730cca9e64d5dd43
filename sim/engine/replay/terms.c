#include "engine/replay/terms.h"
#include "engine/replay/links.h"
#include "engine/replay/noise.h"
#include "engine/replay/prices.h"
#include "engine/schedule/part.h"
#include <math.h>
#include <string.h>

double terms_operations(const Schedule *s)
{
    double n = 0;
    g_autofree uint64_t *ranks = schedule_class_ranks(s, s->p);
    for (uint32_t k = 0; k < s->n_classes; k++)
        n += (double)ranks[k] * (double)class_steps(&s->classes[k], 0, s->classes[k].n_ops);
    return n;
}

// Sets the most that all ranks together can pay of each term of operations in shared memory, if all are at this level.
static void find_most_at(const Site *site, const Schedule *s, int level, uint64_t *most)
{
    double sum[SHARED_TERMS] = {0};
    g_autofree uint64_t *ranks = schedule_class_ranks(s, s->p);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        double rounds = 1;
        for (uint32_t j = k->n_ops, left = 0; j-- > 0;) {
            const Op *op = &k->ops[j];
            if (op->kind == OP_LOOP) {
                rounds = (double)op->out.bytes;
                left = (uint32_t)op->to;
                continue;
            }
            const int ways = !op_shares(op->kind) ? 0 : op->kind == OP_AWAIT ? 2 : 1; // a flag is there, or is awaited
            for (int found = 0; found < ways; found++) {
                const SharedPaid paid = shared_paid(op, &site->shared, found, level);
                for (int t = 0; t < paid.n; t++)
                    sum[paid.of[t].term] += (double)ranks[i] * rounds * (double)paid.of[t].n;
            }
            if (left > 0 && --left == 0)
                rounds = 1;
        }
    }
    for (int t = 0; t < SHARED_OPERATION_TERMS; t++)
        most[t] = MAX(most[t], (uint64_t)MIN(sum[t], (double)SCHEDULE_MOST));
}

static void find_most_shared(const Site *site, const Schedule *s, uint64_t *most)
{
    memset(most, 0, SHARED_OPERATION_TERMS * sizeof *most);
    for (int level = site->shared.by_level ? 0 : 1; level < (site->shared.by_level ? SHARED_LEVELS : 2); level++)
        find_most_at(site, s, level, most);
}

void terms_find_most(Site *site, const Schedule *s, const Totals *n)
{
    if (site->noise)
        noise_find_most(site, n);
    if (site->measured) {
        prices_begin(site, n);
        if (site->links)
            links_find_most(site);
        return;
    }
    const double busy = site->memory ? ceil(table_most(site->memory)) * (double)n->bytes_sent + (double)n->messages : 0;
    for (int i = 0; i < site->nic_term; i++) {
        const TermInfo *info = &term_kinds[site->term[i].kind];
        const bool message = info->payer == PAID_BY_MESSAGES;
        site->most[i] = info->per_byte ? (message ? n->bytes_sent : n->bytes_reduced)
                        : message      ? n->messages
                                       : n->works;
    }
    uint64_t *most = site->most + site->nic_term;
    if (site->nics) {
        *most++ = site->nic_byte > 0 ? n->bytes_sent : 0;
        *most++ = site->nic_message > 0 ? n->messages : 0;
    }
    for (int k = 0; site->memory && k < site->n_levels; k++)
        *most++ = (uint64_t)MIN(busy, (double)SCHEDULE_MOST);
    if (site->links)
        links_find_most(site);
    if (!site->mixes)
        return;
    find_most_shared(site, s, most);
}

// Returns the bits that are set in any length of these operations; `receives` takes the lengths `in`, otherwise `out`.
static uint64_t bits_of_lengths(const Schedule *s, uint32_t kinds, bool receives)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        for (const Op *op = k->ops; op < k->ops + k->n_ops; op++) {
            const Cut *cut = &s->cuts[receives ? op->in_cut : op->out_cut];
            if (kinds >> op->kind & 1)
                bits |= cut == s->cuts ? (receives ? op->in.bytes : op->out.bytes)
                                       : cut->size | (cut->longer > 0 ? cut->elem : 0);
        }
    }
    return bits;
}

// Finds how many of the lowest bits are 0 in all that a term counts: 13 if all segments have 8 KiB. Such bits need no
// room in a tally.
static void find_zeros(Site *site, const Schedule *s)
{
    const uint64_t sent = bits_of_lengths(s, 1u << OP_SEND | 1u << OP_ISEND | 1u << OP_SENDRECV, false),
                   reduced = bits_of_lengths(s, 1u << OP_REDUCE, true);
    for (int i = 0; i < site->n_terms; i++) {
        const TermKind kind = site->term[i].kind;
        const bool sends = term_kinds[kind].payer == PAID_BY_MESSAGES || i == site->nic_term;
        const bool counts = i < site->nic_term ? term_kinds[kind].per_byte : site->nics && i == site->nic_term;
        const uint64_t bits = sends ? sent : reduced;
        site->zeros[i] = counts && bits ? (uint8_t)__builtin_ctzll(bits) : 0;
    }
}

// Returns true if a tally counts all terms that can be paid.
static bool counts_all(const Site *site)
{
    bool all = true;
    for (int i = 0; i < site->n_terms; i++)
        all &= site->done[i];
    return all;
}

static void divide_anew(Site *site)
{
    for (int i = 0; i < site->n_terms; i++)
        site->done[i] = false;
    site_divide(site);
}

void terms_begin(Site *site, const Schedule *s, const Totals *n)
{
    terms_find_most(site, s, n);
    memset(site->zeros, 0, (size_t)site->n_terms * sizeof *site->zeros);
    divide_anew(site);
    if (site->measured || counts_all(site))
        return;
    find_zeros(site, s);
    divide_anew(site);
}

static int bits_of(uint64_t count)
{
    return count ? 64 - __builtin_clzll(count) : 0;
}

int64_t terms_bits_left(const Site *site)
{
    int64_t bits = 0;
    for (int i = 0; i < site->n_terms; i++)
        bits += site->done[i] ? 0 : bits_of(site->most[i]);
    return bits;
}

// Returns true if a tally may have no room for all terms under measured, where prices become terms while they are paid:
// messages of one length that pay each of the usual prices at every level would need more bits.
static bool prices_may_not_fit(const Site *site, const Totals *n)
{
    enum { USUAL = 4 }; // one or step, gap, take, and share or memory
    int64_t bits = (int64_t)USUAL * site->n_levels * bits_of(n->messages);
    for (int i = 0; i < site->n_terms; i++)
        bits += bits_of(site->most[i]);
    return bits > TERMS_BITS;
}

// Limits the counts of messages to those of a chain that does twice what the busiest rank does, after it has passed on
// so many messages of average length.
static void limit_messages(Totals *likely, const Totals *n, uint64_t passes)
{
    const uint64_t messages = n->max_messages_sent + n->max_messages_received;
    const uint64_t bytes = n->max_bytes_sent + n->max_bytes_received;
    likely->messages = MIN(n->messages, 2 * messages + passes);
    likely->bytes_sent = MIN(n->bytes_sent, 2 * bytes + n->bytes_sent / MAX(n->messages, 1) * passes);
}

// Limits the counts, those of reductions too. If most ranks do as much as the busiest one, a chain may pass each rank
// before that, as those of a pipeline do; but not if there are no more rounds than a rank has messages. Returns false,
// and changes nothing, if such a chain is on a network, or if this limits little.
static bool limit_figures(Totals *likely, const Totals *n, uint64_t p, const LinkPrices *links)
{
    const uint64_t messages = n->max_messages_sent + n->max_messages_received;
    const bool few_rounds = links && links->round && links->rounds <= messages;
    const bool alike = messages < 4 * (n->messages / p) && !few_rounds;
    const uint64_t passes = alike ? p : 0;
    if (alike && (links || n->messages / 8 < 2 * messages + passes))
        return false;
    limit_messages(likely, n, passes);
    likely->bytes_reduced =
        MIN(n->bytes_reduced, 2 * n->max_bytes_reduced + n->bytes_reduced / MAX(n->messages, 1) * passes);
    return true;
}

// Doubles the limits as long as the tally has room for all terms, because a chain that waits in the lines of NICs may
// do more than twice what any rank does.
static void widen_limits(Site *site, const Schedule *s, const Totals *n, Totals likely)
{
    Totals fits = likely;
    while (counts_all(site)) {
        fits = likely;
        likely.messages = MIN(n->messages, 2 * likely.messages);
        likely.bytes_sent = MIN(n->bytes_sent, 2 * likely.bytes_sent);
        likely.bytes_reduced = MIN(n->bytes_reduced, 2 * likely.bytes_reduced);
        terms_find_most(site, s, &likely);
        divide_anew(site);
    }
    terms_find_most(site, s, &fits);
    divide_anew(site);
}

bool terms_expect_less(Site *site, const Schedule *s, const Totals *n)
{
    Totals likely = *n;
    if (site->mixes || !(site->measured ? prices_may_not_fit(site, n) : !counts_all(site)))
        return false;
    if (site->measured) // a message may pass all ranks; the prices of reductions and of other work keep their limits
        limit_messages(&likely, n, (uint64_t)s->p);
    else if (!limit_figures(&likely, n, (uint64_t)s->p, site->links))
        return false;
    terms_find_most(site, s, &likely);
    if (site->links && !site->measured)
        links_expect_less(site);
    divide_anew(site);
    if (!site->measured && !site->links)
        widen_limits(site, s, n, likely);
    return true;
}

void terms_lower_most(Site *site, double t)
{
    for (int i = 0; i < site->n_terms; i++)
        if (site->term[i].value > 0 && 1.001 * t / site->term[i].value < (double)site->most[i])
            site->most[i] = (uint64_t)(1.001 * t / site->term[i].value) + 1;
}

double terms_least_lost(const Site *site)
{
    double least = INFINITY;
    for (int i = 0; i < site->n_terms; i++) {
        const TallyField *f = &site->field[i];
        if (f->word >= TALLY_NOT || site->most[i] >> (f->bits - 1) <= 1)
            continue;
        double gained = 0;
        for (int j = 0; j < site->n_terms; j++)
            if (site->field[j].word == f->word && site->field[j].shift + site->field[j].zeros == f->shift + f->bits)
                gained = ldexp(site->term[j].value, site->field[j].zeros);
        least = fmin(least, ldexp(site->term[i].value, f->bits) - gained);
    }
    return least;
}

bool terms_explain(const Site *site, const int64_t *count, double t, double least)
{
    for (int i = 0; i < site->n_terms; i++)
        if (!site->done[i])
            least = fmin(least, site->term[i].value);
    return fabs(t - site_time(site, count)) + 1e-9 * t < least / 2;
}
