// Noise: a message from rank s to rank d takes longer by M + R(s) + R(d) whole nanoseconds. M is drawn for each message,
// R once for each rank. The draws of rank s are those of its messages in the order in which they begin, which is that in
// which they were issued, so every gear draws the same.
#pragma once
#include "base/draws.h"
#include "engine/replay/cost.h"

typedef enum NoiseKind {
    NOISE_NONE,
    NOISE_EXPONENTIAL, // with the mean `ns`
    NOISE_UNIFORM,     // from 0 to `ns`
    NOISE_SPIKE,       // `ns` once in `one_in` draws, and otherwise 0
} NoiseKind;

typedef struct NoiseDraw {
    NoiseKind kind;
    uint64_t ns;
    uint64_t one_in; // 1 or more; only of a spike
} NoiseDraw;

typedef struct NoiseSpec {
    NoiseDraw message, rank;
} NoiseSpec;

typedef struct Noise {
    NoiseSpec spec;
    uint64_t seed;
    int p;
    uint64_t *key;  // by v: of the stream of its messages
    uint64_t *next; // by v: the number of its next message
    uint64_t *rank; // by v: its R
    int term;       // the number of the term `noise`
    TallyField field;
    void (*copy_fields)(Site *site); // of the site's other terms
} Noise;

// Returns what one draw makes of 64 random bits, in ns.
uint64_t noise_draw(const NoiseDraw *draw, uint64_t bits);
// Returns the largest value of a draw.
uint64_t noise_draw_most(const NoiseDraw *draw);
// Returns R of a rank.
uint64_t noise_of_rank(const NoiseSpec *spec, uint64_t seed, int rank);

// Gives a site of p ranks noise, and a term for it. The seed may be changed before a run.
void noise_add(Site *site, const NoiseSpec *spec, int p);
void noise_free(Noise *noise); // NULL is allowed
// Begins a run: no message has begun.
void noise_begin(Noise *noise, const Schedule *s);
// Sets the largest count of the term.
void noise_find_most(Site *site, const Totals *totals);

// Returns by how many ns v's next message, which is for `peer`, takes longer.
static inline uint64_t noise_peek(const Hockney *h, int v, int peer)
{
    const Noise *x = h->site ? h->site->noise : NULL;
    if (G_LIKELY(!x))
        return 0;
    const uint64_t own = x->spec.message.kind ? noise_draw(&x->spec.message, draws_bits(x->key[v], x->next[v])) : 0;
    return own + x->rank[v] + x->rank[peer];
}

// Does the same for a message that begins.
static inline uint64_t noise_next(const Hockney *h, int v, int peer)
{
    Noise *x = h->site ? h->site->noise : NULL;
    if (G_LIKELY(!x))
        return 0;
    const uint64_t ns = noise_peek(h, v, peer);
    x->next[v]++;
    return ns;
}

// Returns so many ns in s, as the double that is nearest to them.
static inline double noise_s(uint64_t ns)
{
    return (double)ns / 1e9;
}

// Returns x after so much noise.
static inline Stamp stamp_noise(const Site *site, Stamp x, uint64_t ns)
{
    x.t += noise_s(ns);
    tally_add(&x.n, site->noise->field, ns);
    return x;
}
