// How runs are disturbed: --arrival (a file if it is empty), --noise (none if it is empty), a number of ranks, and then the
// file of arrivals. What is accepted must draw times within its limits, the same ones each time.
#include "base/number.h"
#include "engine/model/skew.h"
#include "fuzz.h"
#include <string.h>

enum { MOST_RANKS = 64 };

static void check_draw(const NoiseDraw *draw)
{
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t ns = noise_draw(draw, draws_bits(i, i));
        g_assert_cmpuint(ns, <=, noise_draw_most(draw));
        g_assert_cmpuint(noise_draw(draw, draws_bits(i, i)), ==, ns);
    }
    g_assert_cmpuint(noise_draw(draw, 0), <=, noise_draw_most(draw));
    g_assert_cmpuint(noise_draw(draw, UINT64_MAX), <=, noise_draw_most(draw));
}

static void check(const Skew *skew, int p)
{
    const uint64_t most = (uint64_t)1000 * 1000000000;
    for (int run = 0; run < 2; run++) {
        g_autofree uint64_t *ns = skew_arrivals(skew, p, run), *again = skew_arrivals(skew, p, run);
        g_autofree double *s = skew_starts(ns, p);
        for (int rank = 0; ns && rank < p; rank++) {
            g_assert_cmpuint(ns[rank], <=, skew->arrival.file ? most : skew->arrival.ns);
            g_assert_cmpuint(ns[rank], ==, again[rank]);
            g_assert_cmpfloat(s[rank], <=, 1000);
        }
    }
}

FUZZ_HARNESS(skew)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 3);
    g_autoptr(GError) error = NULL;
    g_auto(Skew) skew = {.seeds = 1};
    int p = 8;
    number_int(text[2], 1, MOST_RANKS, &p);
    const gboolean arrives = *text[0]
                                 ? strchr(text[0], ':') && skew_parse_arrival(text[0], &skew.arrival, &error)
                                 : skew_parse_arrivals("arrivals", text[3], strlen(text[3]), &skew.arrival, &error);
    if (strchr(text[0], ':') || !*text[0])
        fuzz_outcome(arrives, &error);
    if (arrives && fuzz_outcome(skew_check(&skew, p, &error), &error))
        check(&skew, p);
    if (*text[1] && fuzz_outcome(skew_parse_noise(text[1], &skew, &error), &error)) {
        check_draw(&skew.noise.message);
        check_draw(&skew.noise.rank);
    }
    return 0;
}
