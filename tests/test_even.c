// What a form says of a run whose texts cut all blocks to equal lengths is the certificate of its replay, as integers: a
// search then need not replay it.
#include "search/form/closed_form.h"
#include "only.h"
#include "sample.h"
#include "tap.h"
#include "api/make.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include "registry/composition.h"
#include <string.h>

// Returns a random length of segments that cuts m bytes into at most MOST of them, or 0 for none.
static int64_t segment(GRand *rand, size_t m, size_t elem)
{
    enum { MOST = 64 };
    size_t bytes = elem << g_rand_int_range(rand, 0, 8);
    while (bytes * MOST < m)
        bytes *= 2;
    return (int64_t)bytes * g_rand_int_range(rand, 0, 2);
}

// Gives about half of the parameters values other than their defaults.
static void draw(GRand *rand, const CollAlgorithm *a, int p, size_t m, size_t elem, CollParams *par)
{
    *par = algorithm_defaults(a);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const int64_t least = param->min, most = MAX(MIN(param->max, MIN(param_most(param, p), 40)), least);
        if (param->kind == PARAM_SIZE) {
            param_set(param, par, segment(rand, m, elem));
        } else if (param->kind == PARAM_ALGORITHM) {
            const CollAlgorithm *part = algorithms[g_rand_int_range(rand, 0, n_algorithms)];
            if (part->collective == param->of && !part->shared)
                param_set_part(param, par, part);
        } else if (g_rand_boolean(rand)) {
            param_set(param, par, g_rand_int_range(rand, (int)least, (int)most + 1));
        }
    }
}

// Returns TRUE if a form knows the certificate of this run, which it must be then.
static gboolean check_point(const CollAlgorithm *a, const CollParams *par, const Platform *platform, int p, size_t m,
                            size_t elem, Transfer transfer)
{
    const Coll all = {.p = p, .elem = elem, .commutative = true, .par = *par};
    Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
    const char *why;
    if (coll_resolve(a, &op.c, &why) != a)
        return FALSE;
    Schedule *s = schedule_record(&op, &(RecordOptions){0});
    int64_t count[3];
    const gboolean known =
        !s->irregular && !s->mixed && closed_form_certificate(&op, platform, transfer == TRANSFER_EAGER, count);
    if (known) {
        const Hockney h = hockney_figures(platform, transfer);
        g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, NULL);
        const Certificate *c = &r->certificate;
        if (r->stuck->len > 0 || c->alpha != count[0] || c->beta != count[1] || c->gamma != count[2]) {
            g_autofree char *text = params_text(a, par);
            g_error("%s %s %s, %s, p = %d, m = %zu of %zu: the form says %" G_GINT64_FORMAT " alpha + %" G_GINT64_FORMAT
                    " beta + %" G_GINT64_FORMAT " gamma, and the replay %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                    " and %" G_GINT64_FORMAT,
                    collectives[a->collective].name, a->name, text ? text : "", transfer_names[transfer], p, m, elem,
                    count[0], count[1], count[2], c->alpha, c->beta, c->gamma);
        }
    }
    schedule_free(s);
    return known;
}

static int check(const CollAlgorithm *a, const Platform *platform)
{
    static const int far[] = {64, 96, 100, 127, 128, 144};
    static const size_t units[] = {1, 2, 3, 4, 6, 8, 12, 16, 60, 720};
    GRand *rand = g_rand_new_with_seed(sample_seed(37));
    int known = 0;
    for (int i = 2; i < 33 + (int)G_N_ELEMENTS(far); i++) {
        const int p = i < 33 ? i : far[i - 33];
        if (!sample_takes((guint)i, 12))
            continue;
        for (size_t k = 0; k < 2 * G_N_ELEMENTS(units); k++) {
            const size_t elem = 8, unit = elem * (size_t)(k % 2 == 0 ? 1 : p), m = unit * units[k / 2];
            CollParams par;
            draw(rand, a, p, m, elem, &par);
            known += check_point(a, &par, platform, p, a->collective == COLL_BARRIER ? 0 : m, elem,
                                 g_rand_boolean(rand) ? TRANSFER_RENDEZVOUS : TRANSFER_EAGER);
        }
    }
    g_rand_free(rand);
    return known;
}

static void test_registry(void)
{
    Platform machine = {.name = NULL}, *const platform = &machine;
    machine.value[KEY_ALPHA] = 3.4e-6;
    machine.value[KEY_BETA] = 1.5e-10;
    machine.value[KEY_GAMMA] = 1.9e-10;
    int known = 0;
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->shared || !a->formula)
            continue;
        const int n = check(a, platform);
        g_test_message("%s %s: %d certificates", collectives[a->collective].name, a->name, n);
        known += n;
    }
    g_assert_true(only_one() || known > 1000);
}

static void add(void)
{
    g_test_add_func("/even/registry", test_registry);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
