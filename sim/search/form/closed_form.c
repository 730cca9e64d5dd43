#include "search/form/closed_form.h"
#include "base/units.h"
#include "registry/registry.h"
#include "api/integers.h"
#include "engine/replay/site.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t gcd(size_t a, size_t b)
{
    return b ? gcd(b, a % b) : a;
}

// Returns the least number of elements that both p and 2^floor(log2 p) divide.
static size_t whole_blocks(int p)
{
    const size_t n = (size_t)p, pow2 = (size_t)pow2_floor(p);
    return n / gcd(n, pow2) * pow2;
}

size_t closed_form_least(int p, size_t elem)
{
    return units_multiply_sizes(2 * whole_blocks(p), elem);
}

bool closed_form_holds(int p, size_t m, size_t elem)
{
    return m % closed_form_least(p, elem) == 0;
}

size_t closed_form_unit(int p, size_t elem)
{
    return units_multiply_sizes(12, closed_form_least(p, elem));
}

// Returns true if no length that a parameter of the algorithm or of its parts sets cuts an element. Texts make such a
// segment shorter, or one element long, which formulas do not know. A segment longer than all blocks cuts nothing.
static bool cuts_no_element(const Operation *op, const CollAlgorithm *a, const CollParams *par)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param_part(param, par);
        const CollParams own = part ? algorithm_defaults(part) : *par;
        const size_t len = param->kind == PARAM_SIZE ? (size_t)param_get(param, par) : 0, cut = len % op->c.elem;
        if ((part && !cuts_no_element(op, part, &own)) || (cut > 0 && len - cut < op->m * (size_t)op->c.p))
            return false;
    }
    return true;
}

// Returns true if the registry's formula applies where all blocks are of equal length.
static bool fits(const Operation *op)
{
    return !op->c.counts && op->c.root == 0 && cuts_no_element(op, op->algorithm, &op->c.par);
}

static bool may_have_form(const Operation *op)
{
    return closed_form_holds(op->c.p, op->m, op->c.elem) && fits(op);
}

CollPoint closed_form_point(const Operation *op, bool eager)
{
    const int vectors = op->algorithm->collective == COLL_REDUCE_SCATTER_BLOCK ? op->c.p : 1;
    return (CollPoint){.p = op->c.p,
                       .m = (int64_t)op->m * vectors,
                       .nodes = op->c.nodes,
                       .par = op->c.par,
                       .eager = eager,
                       .elem = (int64_t)op->c.elem};
}

// ---- The counts in T ------------------------------------------------------------------------------------------------

// The costs that T has on up to two levels: a message, and a byte of it, within a node and between nodes, and a reduced
// byte. On one level the first two are 0, and T does not contain them.
enum { POINT_COSTS = 5, FAR_COSTS = 2 }; // FAR_COSTS: where alpha, beta and gamma begin

static int64_t time_at(const CollAlgorithm *a, CollPoint *x, const int64_t cost[POINT_COSTS])
{
    x->near_alpha = cost[0];
    x->near_beta = cost[1];
    x->alpha = cost[2];
    x->beta = cost[3];
    x->gamma = cost[4];
    return algorithm_time(a, x);
}

// Does the work of find_counts().
static bool count_costs(const Operation *op, CollPoint *x, const double cost[POINT_COSTS], int64_t count[POINT_COSTS])
{
    const CollAlgorithm *a = op->algorithm;
    const int first = x->levels ? 0 : FAR_COSTS; // of the costs that T contains
    memset(count, 0, POINT_COSTS * sizeof *count);
    // No rank sends or reduces more bytes than the product below, so the counts fit into 64 bits.
    if (a->shared || (double)x->m * operation_weight(a->collective, x->p) >= 0x1p60)
        return false;
    // T with one cost at 1 and the others at 0 counts how often it pays that cost. T with all costs is at most the sum
    // of these parts.
    double most = 0, dearest = 0; // the sum, and the largest cost that T contains
    for (int i = first; i < POINT_COSTS; i++) {
        const int64_t unit[] = {i == 0, i == 1, i == 2, i == 3, i == 4};
        count[i] = time_at(a, x, unit);
        if (count[i] < 0)
            return false;
        most += (double)count[i] * cost[i];
        dearest = count[i] > 0 ? fmax(dearest, cost[i]) : dearest;
    }
    if (most <= 0)
        return true;
    // Turn the figures into integers, in a unit as small as T allows. A cost above 0 stays above 0.
    const double scale = fmin(0x1p60 / most, 0x1p40 / dearest);
    int64_t whole[POINT_COSTS] = {0}, sum = 0;
    for (int i = first; i < POINT_COSTS; i++) {
        whole[i] = count[i] > 0 ? llrint(cost[i] * scale) + (cost[i] > 0 && cost[i] * scale < 0.5) : 0;
        sum += count[i] * whole[i];
    }
    const int64_t t = time_at(a, x, whole);
    if (t == sum)
        return true;
    // The formula has maxima. T is linear between their kinks, so it grows by the count of a cost when that cost grows
    // by 1.
    int64_t again = 0;
    for (int i = first; i < POINT_COSTS; i++) {
        int64_t more[POINT_COSTS];
        memcpy(more, whole, sizeof more);
        more[i]++;
        count[i] = time_at(a, x, more) - t;
        again += count[i] * whole[i];
    }
    return t == again;
}

// Does the work of closed_form_counts() for these costs, which are on two levels if x->levels is true.
static bool find_counts(const Operation *op, CollPoint *x, const double cost[POINT_COSTS], int64_t count[POINT_COSTS])
{
    CollKept kept = {0};
    x->kept = &kept;
    const bool known = count_costs(op, x, cost, count);
    x->kept = NULL;
    if (kept.free)
        kept.free(kept.data);
    return known;
}

// Returns true if all messages cost alpha + n beta of the platform, whatever its map is: it has one level, or no two of
// these ranks share more than the outermost, and nothing is shared by a node's ranks.
static bool is_flat(const Operation *op, const Platform *platform)
{
    const CollNodes *nodes = op->c.nodes;
    const Levels *levels = &platform->levels;
    const bool alone = nodes && nodes->n == op->c.p;
    if (levels->n > 1 && !(alone && levels_node(levels) == levels->n - 2))
        return false;
    return !nodes || !(platform->has[KEY_NIC_RATE] || platform->has[KEY_NIC_MESSAGES] || (platform->memory && !alone));
}

// Finds how often T pays alpha, beta and gamma on a flat machine. Returns false as find_counts() does.
static bool find_flat(const Operation *op, const Platform *platform, bool eager, int64_t count[3])
{
    const double *v = platform->value, cost[] = {0, 0, v[KEY_ALPHA], v[KEY_BETA], v[KEY_GAMMA]};
    int64_t all[POINT_COSTS];
    CollPoint x = closed_form_point(op, eager);
    if (!find_counts(op, &x, cost, all))
        return false;
    memcpy(count, all + FAR_COSTS, 3 * sizeof *count);
    return true;
}

bool closed_form_counts(const Operation *op, const Platform *platform, bool eager, int64_t count[3])
{
    return may_have_form(op) && is_flat(op, platform) && find_flat(op, platform, eager, count);
}

bool closed_form_certificate(const Operation *op, const Platform *platform, bool eager, int64_t count[3])
{
    return fits(op) && op->c.commutative && find_flat(op, platform, eager, count);
}

int64_t closed_form_messages(const Operation *op, bool eager)
{
    CollPoint x = closed_form_point(op, eager);
    return may_have_form(op) && !op->algorithm->shared ? time_at(op->algorithm, &x, (const int64_t[]){0, 0, 1, 0, 0})
                                                       : -1;
}

// ---- T on several levels --------------------------------------------------------------------------------------------

// The code of a rank, and its node.
typedef struct FormPlace {
    uint64_t code;
    int node;
} FormPlace;

static int by_code(const void *a, const void *b)
{
    const FormPlace *x = a, *y = b;
    return x->code < y->code ? -1 : x->code > y->code;
}

// Sets *near to the level of all pairs of ranks in one node, and *far to that of all other pairs. Returns false if not
// all pairs are on these two.
static bool two_levels(const Mapping *map, int *near, int *far)
{
    g_autofree FormPlace *place = g_new(FormPlace, map->p);
    for (int rank = 0; rank < map->p; rank++)
        place[rank] = (FormPlace){map->code[rank], map->nodes->of[rank]};
    qsort(place, (size_t)map->p, sizeof *place, by_code);
    *near = *far = -1;
    // In this order, the level of two ranks is the outermost of those of the neighbours between them.
    for (int i = 1; i < map->p; i++) {
        const int level = mapping_code_level(map, place[i - 1].code, place[i].code);
        int *due = place[i - 1].node == place[i].node ? near : far;
        if (*due >= 0 && *due != level)
            return false;
        *due = level;
    }
    return true;
}

// Returns T at a site with levels; NAN if no formula applies.
static double site_form(const Operation *op, const Mapping *map, const Site *site, bool eager)
{
    int near, far;
    const bool shares = (site->nics > 0 && map->nodes->n > 1) || site->memory; // in one node no message takes a NIC
    if (!site_is_textbook(site) || shares || !map->code || !two_levels(map, &near, &far))
        return NAN;
    CollPoint x = closed_form_point(op, eager);
    x.levels = near >= 0 && far >= 0 && near != far;
    if (x.levels && !op->algorithm->levels)
        return NAN;
    const Link *outer = &site->link[far < 0 ? near : far], *inner = x.levels ? &site->link[near] : outer;
    const double cost[] = {x.levels ? inner->message.once : 0, x.levels ? inner->message.byte : 0, outer->message.once,
                           outer->message.byte, site->work.byte};
    int64_t count[POINT_COSTS];
    if (!find_counts(op, &x, cost, count))
        return NAN;
    double t = 0;
    for (int i = 0; i < POINT_COSTS; i++)
        t += (double)count[i] * cost[i];
    return t;
}

// ---- T in shared memory ---------------------------------------------------------------------------------------------

// Returns the unit, in seconds, in which the figures become the integers that a formula takes. The unit is 10^-k with
// the smallest k >= 0 that makes all figures whole numbers; if that k would make T too large, it is the largest k that
// does not.
static double unit_for(const double *figure, int n, double time_s)
{
    double unit = 1;
    for (int k = 0; k < 24 && time_s < unit * 0x1p55 / 10; k++, unit /= 10) {
        bool whole = true;
        for (int i = 0; i < n; i++)
            whole &= fabs(figure[i] / unit - rint(figure[i] / unit)) <= 1e-12 * figure[i] / unit;
        if (whole)
            break;
    }
    return unit;
}

static double shared_form(const Operation *op, const Platform *platform, double time_s)
{
    const CollAlgorithm *a = op->algorithm;
    const double *v = platform->value;
    const double figures[] = {v[KEY_WRITE], v[KEY_READ] / v[KEY_LANES], v[KEY_GAMMA], v[KEY_FLAG]};
    const SharedCosts costs = site_shared_costs(platform);
    if (!shared_is_plain(&costs))
        return NAN;
    const double unit = unit_for(figures, G_N_ELEMENTS(figures), time_s);
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) // a unit that is too coarse for a figure would change T
        if (fabs(rint(figures[i] / unit) * unit - figures[i]) > 1e-6 * figures[i])
            return NAN;
    const double gamma_s = collectives[a->collective].reduces ? v[KEY_GAMMA] : 0;
    const double byte_s = fmax(gamma_s, fmax(v[KEY_WRITE], v[KEY_READ]));
    CollPoint x = closed_form_point(op, false);
    // A formula adds and compares parts of T, and it may look at a write, a flag or a reduction that T does not
    // contain. Each of these must stay below 2^60 units, so that their sums do not overflow.
    if (fmax(time_s, fmax(v[KEY_FLAG], byte_s * fmax((double)x.m, 1))) / unit >= 0x1p60)
        return NAN;
    x.gamma = llrint(gamma_s / unit);
    x.lanes = (int64_t)v[KEY_LANES];
    x.write = llrint(v[KEY_WRITE] / unit);
    x.read = llrint(v[KEY_READ] / (double)x.lanes / unit) * x.lanes;
    x.flag = llrint(v[KEY_FLAG] / unit);
    const int64_t t = algorithm_time(a, &x);
    return t < 0 ? NAN : (double)t * unit;
}

double closed_form(const Operation *op, const Platform *platform, const Mapping *map, bool eager, double time_s)
{
    if (!may_have_form(op))
        return NAN;
    if (op->algorithm->shared)
        return shared_form(op, platform, time_s);
    g_autoptr(Site) site = site_of_platform(platform, map, eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS);
    if (site)
        return site_form(op, map, site, eager);
    const double *v = platform->value, cost[] = {0, 0, v[KEY_ALPHA], v[KEY_BETA], v[KEY_GAMMA]};
    int64_t n[POINT_COSTS];
    CollPoint x = closed_form_point(op, eager);
    if (!find_counts(op, &x, cost, n))
        return NAN;
    return (double)n[2] * cost[2] + (double)n[3] * cost[3] + (double)n[4] * cost[4];
}
