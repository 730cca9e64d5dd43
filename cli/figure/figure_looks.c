// Colours, dashes and point types of lines.
#include "figure/chart.h"
#include "figure/figure.h"
#include <string.h>

// The colours, which are those of chart_look().
enum { BLUE, VERMILLION, GREEN, BLACK, ORANGE, SKY, PURPLE, WINE, GREY, N_COLORS };
G_STATIC_ASSERT((int)N_COLORS == (int)CHART_LOOKS);
// The first dash of each, so that lines differ in grey as well.
static const int FIRST_DASH[N_COLORS] = {1, 1, 1, 2, 4, 2, 5, 4, 3};
enum { N_DASHES = 5 };
G_STATIC_ASSERT(N_COLORS *N_DASHES >= FIGURE_MAX_LINES);

// Fixed looks, so that an algorithm looks the same in every figure. Algorithms of one family have the same colour, and
// `dash` counts from the colour's first dash. Within a collective, no two algorithms have the same colour and dash, and
// those that are often among the fastest have different colours. The best known come first: a line that stands for
// several algorithms with the same points has the name and look of the first of them.
static const struct {
    const char *name;
    int color, dash;
} FIXED[] = {
    {"recursive_doubling", BLUE, 0},
    {"ring", VERMILLION, 0},
    {"binomial", BLACK, 0},
    {"linear", GREY, 0},
    {"rabenseifner", ORANGE, 0},
    {"bruck", PURPLE, 0},
    {"dissemination", GREEN, 0},
    {"pairwise", SKY, 0},
    {"circulant", GREEN, 0},
    {"recursive_halving", ORANGE, 0},
    {"scatter_rd_allgather", BLUE, 0},
    {"scatter_ring_allgather", VERMILLION, 0},
    {"redscat_gather", BLUE, 0},
    {"knomial", WINE, 0},
    {"bintree", SKY, 0},
    {"binary", SKY, 0},
    {"chain", ORANGE, 1},
    {"pipeline", VERMILLION, 1},
    {"two_tree", PURPLE, 0},
    {"split_bintree", ORANGE, 0},
    {"in_order_binary", ORANGE, 0},
    {"neighbor_exchange", BLACK, 0},
    {"tree", PURPLE, 0},
    {"tournament", ORANGE, 0},
    {"double_ring", VERMILLION, 0},
    {"reduce_bcast", BLACK, 0},
    {"butterfly", PURPLE, 0},
    {"nonoverlapping", BLACK, 0},
    {"segmented_ring", VERMILLION, 1},
    {"k_ring", VERMILLION, 2},
    {"binary_blocks", ORANGE, 1},
    {"swing", GREEN, 1},
    {"bine", GREEN, 2},
    {"recexch", SKY, 0},
    {"recursive_multiplying", SKY, 1},
    {"reduce_scatter_allgather", ORANGE, 2},
    {"butterfly_v1", BLUE, 1},
    {"butterfly_v2", BLUE, 2},
    {"tree_v1", PURPLE, 1},
    {"tree_v2", PURPLE, 2},
    {"knomial_tree", WINE, 0},
    {"allgather_reduce", GREY, 1},
    {"sparbit", ORANGE, 0},
    {"k_bruck", WINE, 0},
    {"circulant_blocks", GREEN, 1},
    {"direct", GREY, 1},
    {"padded_bruck", WINE, 0},
    {"linear_sync", BLUE, 0},
    {"linear_nb", BLUE, 1},
    {"bintree_aggregated", SKY, 0},
    {"chain_aggregated", ORANGE, 0},
    {"chain_blockwise", WINE, 0},
    {"binomial_blocking", BLACK, 1},
    {"binomial_chains", WINE, 0},
    {"generic", GREY, 1},
    {"smp", WINE, 1},
    {"multi_leader", PURPLE, 3},
    {"lane", WINE, 4},
    {"han", SKY, 2},
    {"ch4_alpha", BLUE, 3},
    {"ch4_beta", BLUE, 4},
    {"binomial_far", BLACK, 1},
    {"two_procs", BLACK, 2},
    {"shm_flat", SKY, 3},
    {"shm_flat_counter", ORANGE, 3},
    {"shm_fused", BLUE, 3},
    {"shm_knomial", WINE, 3},
    {"shm_sets", GREEN, 3},
};

// Returns the rank of an algorithm among the known ones, 0 for the best known. All algorithms without a colour of their own
// have the same rank, which is larger.
static guint fame_of(const char *algorithm)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(FIXED) && strcmp(FIXED[i].name, algorithm) != 0)
        i++;
    return i;
}

// Returns the point of a colour's dash. The first dash has the colour's own point, and each other one another shape, so that
// lines of one colour differ in shape too; every second one is hollow.
static int point_of(int own, guint dash)
{
    static const int SHAPES[] = {7, 5, 9, 13, 11, 15}; // gnuplot's filled points, which have odd numbers
    guint shape = 0;
    while (shape < G_N_ELEMENTS(SHAPES) && SHAPES[shape] != (own | 1))
        shape++;
    return dash == 0 ? own : SHAPES[(shape + dash) % G_N_ELEMENTS(SHAPES)] - (int)(dash % 2);
}

// Returns the look with this colour and dash and marks it as taken. If it is taken already, the next free dash of that
// colour is used, or of the colours that follow.
static CanvasLook take(gboolean taken[N_COLORS][N_DASHES], guint color, guint dash)
{
    for (guint i = 0; i < N_COLORS * N_DASHES && taken[color][dash]; i++) {
        dash = (dash + 1) % N_DASHES;
        if (i % N_DASHES == N_DASHES - 1)
            color = (color + 1) % N_COLORS;
    }
    taken[color][dash] = TRUE;
    CanvasLook look = chart_look(color);
    look.point = point_of(look.point, dash);
    look.dash = (FIRST_DASH[color] - 1 + (int)dash) % N_DASHES + 1;
    return look;
}

// Returns the colour for a line whose own one is taken, or that has none. Among the colours with the fewest lines, the hash
// of the name decides. `wanted` is how many lines will have it; one that a winner has counts as full.
static guint rare_color(gboolean taken[N_COLORS][N_DASHES], const guint wanted[N_COLORS],
                        const char *const won[N_COLORS], const char *name)
{
    guint best = 0, fewest = G_MAXUINT;
    for (guint i = 0; i < N_COLORS; i++) {
        const guint color = (g_str_hash(name) + i) % N_COLORS;
        guint lines = wanted[color] + (won[color] ? FIGURE_MAX_LINES : 0);
        for (guint dash = 0; dash < N_DASHES; dash++)
            lines += (guint)taken[color][dash];
        if (lines < fewest) {
            fewest = lines;
            best = color;
        }
    }
    return best;
}

typedef struct {
    const FigureLine *line;
    guint index; // of the line in the panel
} Ranked;

// Orders lines by variant, so that every algorithm's first line chooses before any second one; then by fame, so that
// fixed looks are chosen first; then by name, so that the order of rows in the file does not matter.
static int by_claim(gconstpointer a, gconstpointer b)
{
    const FigureLine *const one = ((const Ranked *)a)->line, *const two = ((const Ranked *)b)->line;
    const guint fame = fame_of(one->algorithm), other = fame_of(two->algorithm);
    if (one->variant != two->variant)
        return one->variant > two->variant ? 1 : -1;
    return fame != other ? (fame > other) - (fame < other) : strcmp(one->algorithm, two->algorithm);
}

// The three rounds in which lines choose: winners whose own colour no other winner has, the other winners, and then all
// other lines.
typedef enum { ROUND_OWN, ROUND_WINNERS, ROUND_REST, N_ROUNDS } LooksRound;

CanvasLook *figure_looks(const FigurePanel *panel)
{
    const guint n = panel->lines->len;
    CanvasLook *const looks = g_new0(CanvasLook, n);
    gboolean taken[N_COLORS][N_DASHES] = {0};
    const char *won[N_COLORS] = {0}; // by colour: the algorithm of the winner that has it
    guint wanted[N_COLORS] = {0};    // the number of lines without a look whose own colour it is
    g_autoptr(GHashTable) colors = g_hash_table_new(g_str_hash, g_str_equal); // of names without a fixed look
    g_autofree Ranked *ranked = g_new(Ranked, n);
    for (guint i = 0; i < n; i++) {
        ranked[i] = (Ranked){panel->lines->pdata[i], i};
        if (fame_of(ranked[i].line->algorithm) < G_N_ELEMENTS(FIXED))
            wanted[FIXED[fame_of(ranked[i].line->algorithm)].color]++;
    }
    qsort(ranked, n, sizeof *ranked, by_claim);
    for (LooksRound round = 0; round < N_ROUNDS; round++)
        for (guint i = 0; i < n; i++) {
            const FigureLine *const line = ranked[i].line;
            const guint fame = fame_of(line->algorithm);
            const gboolean fixed = fame < G_N_ELEMENTS(FIXED);
            guint color = fixed ? (guint)FIXED[fame].color : 0, dash = fixed ? (guint)FIXED[fame].dash : 0;
            if (looks[ranked[i].index].dash || (round < ROUND_REST && !line->wins) ||
                (round == ROUND_OWN && (!fixed || won[color])))
                continue;
            wanted[color] -= fixed;
            if (!line->wins && g_hash_table_contains(colors, line->algorithm)) {
                color = GPOINTER_TO_UINT(g_hash_table_lookup(colors, line->algorithm));
            } else if (round == ROUND_WINNERS || !fixed || (won[color] && strcmp(won[color], line->algorithm) != 0)) {
                color = rare_color(taken, wanted, won, line->algorithm);
                dash = 0;
                g_hash_table_insert(colors, (char *)line->algorithm, GUINT_TO_POINTER(color));
            }
            if (line->wins)
                won[color] = line->algorithm;
            looks[ranked[i].index] = take(taken, color, dash);
        }
    return looks;
}

CanvasLook *figure_winner_looks(const GPtrArray *names)
{
    g_autofree FigureLine *lines = g_new0(FigureLine, names->len);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < names->len; i++) {
        lines[i] = (FigureLine){.algorithm = names->pdata[i], .wins = TRUE};
        for (guint k = 0; k < i; k++)
            lines[i].variant += !strcmp(names->pdata[k], names->pdata[i]);
        g_ptr_array_add(list, &lines[i]);
    }
    return figure_looks(&(FigurePanel){.lines = list});
}
