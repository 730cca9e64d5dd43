// How a clock's tally is divided into fields for the counts of terms, where some of their lowest bits are always 0.
#include "engine/replay/site.h"
#include "engine/replay/terms.h"
#include "machine/platform/mapping.h"
#include "sample.h"
#include "tap.h"
#include <math.h>

enum { TERMS = 5 }; // alpha and beta within a node, alpha and beta between nodes, gamma

static Site *site_of(GRand *random)
{
    static const char *const names[] = {"node", "far"};
    double value[TERMS];
    for (int i = 0; i < TERMS; i++)
        value[i] = ldexp(g_rand_int_range(random, 1, 100), -g_rand_int_range(random, 0, 12));
    SiteCharges charges[2];
    site_textbook(charges[0], value[0], value[1], value[4]);
    site_textbook(charges[1], value[2], value[3], value[4]);
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "node", 2);
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 2}, &levels, 4, NULL);
    levels_clear(&levels);
    Site *site = site_new(map, names, &(SiteFigures){.charges = charges});
    g_assert_cmpint(site->n_terms, ==, TERMS);
    return site;
}

static void divide(Site *site, const int bits[TERMS], const int zeros[TERMS])
{
    for (int i = 0; i < TERMS; i++) {
        site->most[i] = bits[i] > 0 ? UINT64_MAX >> (64 - bits[i]) : 0;
        site->zeros[i] = (uint8_t)zeros[i];
        site->done[i] = false;
    }
    site_divide(site);
}

// Segments of 8 KiB leave room for a term that has none otherwise.
static void test_room(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    g_autoptr(Site) site = site_of(random);
    const int bits[TERMS] = {20, 45, 20, 45, 30}, none[TERMS] = {0}, zeros[TERMS] = {0, 13, 0, 13, 13};
    int counted[2] = {0};
    divide(site, bits, none);
    for (int i = 0; i < TERMS; i++)
        counted[0] += site->done[i];
    divide(site, bits, zeros);
    for (int i = 0; i < TERMS; i++)
        counted[1] += site->done[i];
    g_assert_cmpint(counted[0], <, TERMS);
    g_assert_cmpint(counted[1], ==, TERMS);
}

// Draws a count of at most `bits` bits whose lowest `zeros` bits are 0.
static int64_t draw(GRand *random, int bits, int zeros)
{
    const uint64_t any = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
    return bits > 0 ? (int64_t)(any >> (64 - bits) >> zeros << zeros) : 0;
}

// A tally has the counts that it was made of. If one of them is more than its field holds, the time that they are worth
// differs by what terms_least_lost() says, or more.
static void test_counts(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(sample_seed(3));
    int over = 0, shared = 0;
    for (int k = 0; k < sample_of(20000, 2000); k++) {
        g_autoptr(Site) site = site_of(random);
        int bits[TERMS], zeros[TERMS];
        int64_t count[TERMS], got[TERMS] = {0};
        for (int i = 0; i < TERMS; i++) {
            bits[i] = g_rand_int_range(random, 0, 8) > 0 ? g_rand_int_range(random, 5, 40) : 0;
            zeros[i] = bits[i] > 0 ? g_rand_int_range(random, 0, MIN(bits[i] - 3, 14)) : 0;
        }
        divide(site, bits, zeros);
        for (int i = 0; i < TERMS; i++) {
            count[i] = site->field[i].word < TALLY_NOT ? draw(random, bits[i], zeros[i]) : 0;
            shared += site->field[i].word < TALLY_NOT && site->field[i].zeros > 0;
        }
        site_counts(site, site->field, site_tally(site, count), got);
        for (int i = 0; i < TERMS; i++)
            g_assert_cmpint(got[i], ==, count[i]);

        const int i = g_rand_int_range(random, 0, TERMS);
        if (site->field[i].word == TALLY_NOT)
            continue;
        for (int j = 0; j < TERMS; j++) { // the other fields have room for what runs over
            count[j] = draw(random, bits[j] - 3, MIN(zeros[j], MAX(bits[j] - 3, 0)));
            got[j] = 0;
            if (site->field[j].word == TALLY_NOT)
                count[j] = 0;
        }
        count[i] = (int64_t)g_rand_int_range(random, 1, 4) << bits[i];
        site->most[i] = (uint64_t)count[i];
        site_counts(site, site->field, site_tally(site, count), got);
        const double least = terms_least_lost(site), lost = fabs(site_time(site, count) - site_time(site, got));
        if (least <= 0) // a run of which this is said is repeated
            continue;
        g_assert_cmpfloat(lost, >=, least * (1 - 1e-9));
        over++;
    }
    g_test_message("%d fields share bits, %d run over", shared, over);
    g_assert_cmpint(shared, >, 100);
    g_assert_cmpint(over, >, 100);
}

static void add(void)
{
    g_test_add_func("/tally/room", test_room);
    g_test_add_func("/tally/counts", test_counts);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
