#include "engine/replay/path.h"
#include "base/error.h"
#include "engine/replay/links.h"
#include "engine/replay/noise.h"

const char *path_kind_name(int kind)
{
    static const char *const names[] = {
        [OP_END] = "end",           [OP_SEND] = "send",       [OP_RECV] = "recv",
        [OP_SENDRECV] = "sendrecv", [OP_ISEND] = "isend",     [OP_IRECV] = "irecv",
        [OP_WAIT] = "wait",         [OP_WAITALL] = "waitall", [OP_THROTTLE] = "throttle",
        [OP_REDUCE] = "reduce",     [OP_COPY] = "copy",       [OP_FRESH] = "fresh",
        [OP_CONNECT] = "connect",   [OP_MATCH] = "match",     [OP_BOUNCE] = "bounce",
        [OP_LOOP] = "loop",         [OP_WRITE] = "write",     [OP_READ] = "read",
        [OP_RAISE] = "raise",       [OP_AWAIT] = "flag",      [OP_LOCAL] = "copy",
        [OP_CALL] = "call",         [PATH_NIC] = "NIC busy",  [PATH_MEMORY] = "memory busy",
        [PATH_FLIGHT] = "flight",   [PATH_OUT] = "NIC, out",  [PATH_IN] = "NIC, in",
        [PATH_ANSWER] = "answer",   [PATH_CALC] = "calc",     [PATH_ARRIVAL] = "not arrived",
    };
    return names[kind];
}

void path_in_order(GArray *path)
{
    for (guint i = 0, j = path->len; i < j--; i++) {
        PathStep *a = &g_array_index(path, PathStep, i), *b = &g_array_index(path, PathStep, j), t = *a;
        *a = *b;
        *b = t;
    }
}

// Adds what a step pays to the counts by term.
static void count_step(const PathStep *x, const Site *site, int64_t *count)
{
    switch (x->kind) {
    case OP_REDUCE:
        site_count_charge(site, &site->work, x->bytes, count);
        break;
    case PATH_NIC:
        if (cost_nic_by_bytes(site, x->bytes))
            count[site->nic_term] += (int64_t)x->bytes;
        else
            count[site->nic_term + 1]++;
        break;
    case PATH_MEMORY:
        count[site->memory_term + x->level] += (int64_t)cost_memory_bytes(site, x->bytes);
        break;
    case OP_WRITE:
    case OP_READ:
    case OP_RAISE:
    case OP_AWAIT:
    case OP_LOCAL:
    case OP_CALL:
        for (int i = 0; i < x->paid.n; i++)
            count[site->shared_term + (int)x->paid.of[i].term] += x->paid.of[i].n;
        break;
    default:
        if (x->links)
            links_count(site, x->level, x->bytes, x->links, x->price, count);
        else
            site_count_charge(site, &site->link[x->level].message, x->bytes, count);
        if (x->noise)
            count[site->noise->term] += (int64_t)x->noise;
    }
}

void path_times(GArray *path, const Schedule *s, const Hockney *model, double start)
{
    const Site *site = model->site;
    Certificate flat = {0};
    double end = 0;
    g_autofree int64_t *count = site ? g_new0(int64_t, site->n_terms) : NULL;
    for (guint i = 0; i < path->len; i++) {
        PathStep *x = &g_array_index(path, PathStep, i);
        if (site) {
            x->level = x->peer < 0 ? 0 : site_level(site, v_of_rank(s, x->rank), v_of_rank(s, x->peer));
            if (!site->measured)
                count_step(x, site, count);
            end += x->value_s;
        } else if (x->kind == OP_REDUCE) {
            flat.gamma += (int64_t)x->bytes;
        } else {
            flat.alpha++;
            flat.beta += (int64_t)x->bytes;
        }
        x->end_s = start + (!site ? certificate_time(&flat, model) : site->measured ? end : site_time(site, count));
    }
}

bool path_counts(const GArray *path, Site *site, int64_t *count)
{
    for (guint i = 0; i < path->len && !site->links; i++) {
        const PathStep *x = &g_array_index(path, PathStep, i);
        int64_t n = 1;
        int term;
        if (op_works(x->kind))
            term = prices_work_term(site, x->kind - OP_REDUCE, x->bytes, &n);
        else if (x->kind < PATH_NIC && x->price != PRICE_SHARE) {
            const bool far = x->price >= PRICE_FAR;
            if (far)
                count[site->prices->far_term]++;
            term = prices_at(site, x->level, x->bytes)->of[far ? x->price - PRICE_FAR : x->price].term;
            if (x->noise)
                count[site->noise->term] += (int64_t)x->noise;
        } else
            return false;
        if (term >= 0)
            count[term] += n;
    }
    return !site->links;
}

void path_too_long(GError **error)
{
    bad_input(error,
              "the replay has too many operations for --why and traces; allowed: at most %d, with a smaller -p or "
              "larger segments",
              MAX_TRACE);
}
