// The command line of each view.
#include "explore/explore_state.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"

enum {
    DRAWN_RANKS = 16, // of rounds and of a space-time picture
    DRAWN_ROUNDS = 32,
    TRACED_RANKS = 256 // the most ranks of a run that is traced
};

void explore_line_free(ExploreLine *line)
{
    if (!line)
        return;
    g_strfreev(line->first);
    g_strfreev(line->second);
    g_free(line->text);
    g_free(line);
}

static void add(GPtrArray *words, const char *word)
{
    g_ptr_array_add(words, g_strdup(word));
}

static void G_GNUC_PRINTF(2, 3) add_text(GPtrArray *words, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_ptr_array_add(words, g_strdup_vprintf(format, values));
    va_end(values);
}

static GPtrArray *command_new(const char *command, const ExploreState *state)
{
    GPtrArray *const words = g_ptr_array_new_with_free_func(g_free);
    add(words, "collsim");
    add(words, command);
    if (state)
        add(words, collectives[state->collective].name);
    return words;
}

static char **command_end(GPtrArray *words)
{
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

static void add_per_node(GPtrArray *words, int per_node)
{
    if (per_node > 0) {
        add(words, "--per-node");
        add_text(words, "%d", per_node);
    }
}

// Adds the number of ranks of one run, and how many a node has.
static void add_ranks(GPtrArray *words, int p, int per_node)
{
    add(words, "-p");
    add_text(words, "%d", p);
    add_per_node(words, per_node);
}

static void add_size(GPtrArray *words, const ExploreState *state)
{
    if (state->collective == COLL_BARRIER)
        return;
    g_autofree char *size = units_format_size(state->m);
    add(words, "-m");
    add(words, size);
}

// Adds the sizes of an axis: the more detail, from 0 on, the nearer they are to each other.
static void add_sizes(GPtrArray *words, const ExploreState *state, int detail)
{
    static const char *const sizes[EXPLORE_DETAILS + 1] = {"8..8M:x32", "8..16M:x8", "8..8M:x4", "8..16M:x2"};
    if (state->collective == COLL_BARRIER)
        return;
    add(words, "-m");
    add(words, sizes[detail]);
}

// Adds the ranks of a map: multiples of a node's ranks, if there are nodes.
static void add_axis(GPtrArray *words, const ExploreState *state)
{
    const int from = state->per_node > 0 ? state->per_node : 2, to = MAX(state->most, from);
    g_autofree char *first = units_format_size((size_t)from), *last = units_format_size((size_t)to),
                    *third = units_format_size(3 * (size_t)from / (state->per_node > 0 ? 1 : 2));
    add(words, "-p");
    if (state->detail == EXPLORE_DETAILS && 3 * from <= to)
        add_text(words, "%s..%s:x2,%s..%s:x2", first, last, third, last);
    else
        add_text(words, "%s..%s:x%d", first, last, state->detail > 1 ? 2 : state->per_node > 1 ? 8 : 4);
    add_per_node(words, state->per_node);
}

static void add_machine(GPtrArray *words, const ExploreState *state)
{
    add(words, "--platform");
    add(words, state->machine->name);
    if (state->machine->says_model) {
        add(words, "--model");
        add(words, "hockney");
    }
    for (guint i = 0; i < state->sets->len; i++) {
        add(words, "--set");
        add(words, state->sets->pdata[i]);
    }
}

static void add_csv(GPtrArray *words)
{
    add(words, "--format");
    add(words, "csv");
}

// Returns the command that draws rows; `option` and `value` may be NULL.
static char **plot_words(const ExploreState *state, const char *option, const char *value, const char *file)
{
    GPtrArray *const words = command_new("plot", NULL);
    if (option)
        add(words, option);
    if (value)
        add(words, value);
    if (state->narrow) { // in inches of 96 pixels
        add(words, "--size");
        add(words, "4.6");
        add(words, "--font");
        add(words, "9");
    }
    add(words, "-");
    add(words, "-o");
    add(words, file);
    return command_end(words);
}

static void make_map(ExploreLine *line, const ExploreState *state)
{
    const gboolean few = state->detail == 1 && state->per_node > 1; // where ranks share nodes, each place takes long
    GPtrArray *const words = command_new("best", state);
    add(words, "--defaults");
    add(words, "--top");
    add(words, "2");
    add_axis(words, state);
    add_sizes(words, state, few ? 0 : state->detail);
    add_machine(words, state);
    add_csv(words);
    line->first = command_end(words);
    line->second = plot_words(state, "--map", NULL, "map.svg");
}

// Returns the command that runs algorithms, "ring,bruck", over sizes.
static char **run_words(const ExploreState *state, const char *names, int detail)
{
    GPtrArray *const words = command_new("run", state);
    add(words, names);
    add_ranks(words, state->p, state->per_node);
    add_sizes(words, state, detail);
    add_machine(words, state);
    add_csv(words);
    return command_end(words);
}

static void make_times(ExploreLine *line, const ExploreState *state)
{
    g_autoptr(GString) names = g_string_new(state->algorithm->name);
    for (guint i = 0; i < state->with->len; i++)
        if (state->with->pdata[i] != state->algorithm)
            g_string_append_printf(names, ",%s", ((const CollAlgorithm *)state->with->pdata[i])->name);
    line->first = run_words(state, names->str, state->detail);
    line->second = plot_words(state, NULL, NULL, "times.svg");
}

static void make_shares(ExploreLine *line, const ExploreState *state)
{
    line->first = run_words(state, state->algorithm->name, 1);
    line->second = plot_words(state, "--y", "shares", "shares.svg");
}

// Returns a command about the chosen algorithm, at one number of ranks and one size.
static GPtrArray *one_run_new(const char *command, const ExploreState *state, int p, int per_node)
{
    GPtrArray *const words = command_new(command, state);
    add(words, state->algorithm->name);
    add_ranks(words, p, per_node);
    add_size(words, state);
    return words;
}

// Returns the ranks of as many full nodes as `most` ranks fill, because some algorithms need full nodes; `most` if there
// are no nodes, or if one has more ranks.
static int of_full_nodes(int most, int per_node)
{
    return per_node > 0 && per_node <= most ? most / per_node * per_node : most;
}

static void make_trace(ExploreLine *line, const ExploreState *state)
{
    const int p = MIN(state->p, of_full_nodes(TRACED_RANKS, state->per_node));
    GPtrArray *const words = one_run_new("trace", state, p, state->per_node);
    add_machine(words, state);
    if (p > DRAWN_RANKS) {
        add(words, "--ranks");
        add_text(words, "0..%d", DRAWN_RANKS - 1);
    }
    add(words, "-o");
    add(words, "trace.svg");
    line->first = command_end(words);
}

// Returns a command about a few ranks: of full nodes if there are some, of at most 8 ranks each.
static GPtrArray *few_ranks_new(const char *command, const ExploreState *state)
{
    const int per_node = MIN(state->per_node, DRAWN_RANKS / 2);
    return one_run_new(command, state, MIN(state->p, of_full_nodes(DRAWN_RANKS, per_node)), per_node);
}

// Returns TRUE if an algorithm cuts the message into more segments than rounds are drawn.
static gboolean has_many_rounds(const ExploreState *state)
{
    const CollAlgorithm *const a = state->algorithm;
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_SIZE && a->params[i].def > 0 &&
            state->m / DRAWN_ROUNDS > (size_t)a->params[i].def)
            return TRUE;
    return FALSE;
}

// Rounds are drawn as a run in which each message takes 1 us and nothing else takes time.
static void make_rounds(ExploreLine *line, const ExploreState *state)
{
    static const char *const unit[] = {"alpha=1us", "beta=0", "gamma=0"};
    GPtrArray *const words = few_ranks_new("trace", state);
    for (guint i = 0; i < G_N_ELEMENTS(unit); i++) {
        add(words, "--set");
        add(words, unit[i]);
    }
    if (has_many_rounds(state)) {
        add(words, "--to");
        add_text(words, "%dus", DRAWN_ROUNDS);
    }
    add(words, "-o");
    add(words, "rounds.svg");
    line->first = command_end(words);
}

static void make_show(ExploreLine *line, const ExploreState *state)
{
    line->first = command_end(few_ranks_new("show", state));
}

static void make_why(ExploreLine *line, const ExploreState *state)
{
    GPtrArray *const words = one_run_new("run", state, state->p, state->per_node);
    add_machine(words, state);
    add(words, "--why");
    line->first = command_end(words);
}

static void append_words(GString *text, char **words)
{
    for (char **word = words; *word; word++) {
        g_autofree char *quoted = escape_shell(*word);
        g_string_append_printf(text, "%s%s", word == words ? "" : " ", quoted);
    }
}

ExploreLine *explore_line_new(const ExploreState *state, ExploreView view, GError **error)
{
    static void (*const make[])(ExploreLine *, const ExploreState *) = {
        [EXPLORE_MAP] = make_map,     [EXPLORE_TIMES] = make_times,   [EXPLORE_SHARES] = make_shares,
        [EXPLORE_TRACE] = make_trace, [EXPLORE_ROUNDS] = make_rounds, [EXPLORE_SHOW] = make_show,
        [EXPLORE_WHY] = make_why};
    if (view != EXPLORE_MAP && !state->algorithm) {
        bad_input(error, "no algorithm; allowed: a=NAME of one");
        return NULL;
    }
    ExploreLine *const line = g_new0(ExploreLine, 1);
    make[view](line, state);
    line->picture = view <= EXPLORE_ROUNDS;
    g_autoptr(GString) text = g_string_new(NULL);
    append_words(text, line->first);
    if (line->second) {
        g_string_append(text, " | ");
        append_words(text, line->second);
    }
    line->text = g_strdup(text->str);
    return line;
}
