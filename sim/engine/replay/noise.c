#include "engine/replay/noise.h"
#include <string.h>

// The kinds of streams.
enum { OF_MESSAGES, OF_RANKS };

uint64_t noise_draw(const NoiseDraw *draw, uint64_t bits)
{
    switch (draw->kind) {
    case NOISE_EXPONENTIAL:
        return draws_exponential(bits, draw->ns);
    case NOISE_UNIFORM:
        return draws_uniform(bits, draw->ns);
    case NOISE_SPIKE:
        return draws_uniform(bits, draw->one_in - 1) == 0 ? draw->ns : 0;
    case NOISE_NONE:
        break;
    }
    return 0;
}

uint64_t noise_draw_most(const NoiseDraw *draw)
{
    return draw->kind == NOISE_EXPONENTIAL ? DRAW_EXPONENTIAL_MOST * draw->ns : draw->kind ? draw->ns : 0;
}

uint64_t noise_of_rank(const NoiseSpec *spec, uint64_t seed, int rank)
{
    return noise_draw(&spec->rank, draws_bits(draws_stream(seed, OF_RANKS, (uint64_t)rank), 0));
}

void noise_free(Noise *x)
{
    if (!x)
        return;
    g_free(x->key);
    g_free(x->next);
    g_free(x->rank);
    g_free(x);
}

static void copy_fields(Site *site)
{
    Noise *x = site->noise;
    x->copy_fields(site);
    x->field = site->field[x->term];
}

void noise_add(Site *site, const NoiseSpec *spec, int p)
{
    Noise *x = site->noise = g_new0(Noise, 1);
    x->spec = *spec;
    x->p = p;
    x->key = g_new(uint64_t, p);
    x->next = g_new(uint64_t, p);
    x->rank = g_new(uint64_t, p);
    x->copy_fields = site->copy_fields;
    site->copy_fields = copy_fields;
    site->free_noise = noise_free;
    x->term = site_add_term(site, term_of(TERM_NOISE, NULL, 1e-9));
}

void noise_begin(Noise *x, const Schedule *s)
{
    for (int v = 0; v < x->p; v++) {
        const int rank = rank_of(s, v);
        x->key[v] = draws_stream(x->seed, OF_MESSAGES, (uint64_t)rank);
        x->rank[v] = noise_of_rank(&x->spec, x->seed, rank);
        x->next[v] = 0;
    }
}

void noise_find_most(Site *site, const Totals *totals)
{
    const NoiseSpec *spec = &site->noise->spec;
    const double each = (double)noise_draw_most(&spec->message) + 2 * (double)noise_draw_most(&spec->rank);
    site->most[site->noise->term] = (uint64_t)MIN(each * (double)totals->messages, (double)SCHEDULE_MOST);
}
