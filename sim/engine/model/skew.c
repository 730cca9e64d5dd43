#include "engine/model/skew.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

// The kind of the streams of random arrivals; those of noise have smaller ones.
enum { OF_ARRIVALS = 16 };

// Times are at most 1,000 s, so that 2^20 of them, each 45 times as long, fit into 62 bits.
static const double most_s = 1000;

// The patterns, from ARRIVAL_ONE_LATE on.
static const char *const arrival_names[] = {"one-late", "ascending", "random", NULL};

void skew_clear(Skew *x)
{
    g_clear_pointer(&x->arrival.file, g_array_unref);
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

// Reads a time, and rounds it to whole ns. Returns FALSE for what is not a time, or longer than is allowed.
static gboolean read_ns(const char *text, uint64_t *ns)
{
    double s;
    if (!units_parse_time(text, &s, NULL) || s > most_s)
        return FALSE;
    *ns = (uint64_t)(s * 1e9 + 0.5);
    return TRUE;
}

// Reads a time of an option, which must not be 0.
static gboolean option_ns(const char *option, const char *whole, const char *text, uint64_t *ns, GError **error)
{
    if (text && read_ns(text, ns) && *ns > 0)
        return TRUE;
    g_autofree char *quoted = error_quote(text ? text : "");
    return bad_input(error, "%s %s: %s is not a time; allowed: 1ns to 1000s, such as 20us", option, whole, quoted);
}

static gboolean option_number(const char *option, const char *whole, const char *what, const char *text, size_t least,
                              uint64_t *out, GError **error)
{
    size_t n;
    if (!text || !number_size(text, least, UINT32_MAX, &n)) {
        g_autofree char *quoted = error_quote(text ? text : ""), *range = number_range(least, UINT32_MAX);
        return bad_input(error, "%s %s: %s is not a %s; allowed: %s", option, whole, quoted, what, range);
    }
    *out = n;
    return TRUE;
}

// ---- Arrival --------------------------------------------------------------------------------------------------------

// Takes the time of one rank from a line, with blanks around it and a comment behind it if need be. An empty line has
// none.
static gboolean read_line(const Lines *lines, char *line, GArray *times, GError **error)
{
    uint64_t ns;
    if (!lines_text(lines, line, error))
        return FALSE;
    if (!*line)
        return TRUE;
    if (!read_ns(line, &ns)) {
        g_autofree char *quoted = error_quote(line);
        return bad_input(error,
                         "%s:%" G_GUINT64_FORMAT ": %s is not a time; allowed: 0 to 1000s, with a unit, such as 12.5us",
                         lines->name, lines->line, quoted);
    }
    if (times->len == LIMIT_RANKS)
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": the file has too many times; allowed: one for each rank",
                         lines->name, lines->line);
    g_array_append_val(times, ns);
    return TRUE;
}

// Reads lines to their end into out->file, and closes them.
static gboolean read_lines(Lines *lines, Arrival *out, GError **error)
{
    gboolean good = TRUE;
    char *line = NULL;
    GArray *times = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    do
        good = lines_next(lines, &line, error) && (!line || read_line(lines, line, times, error));
    while (good && line);
    lines_close(lines);
    if (!good) {
        g_array_unref(times);
        return FALSE;
    }
    *out = (Arrival){.kind = ARRIVAL_FILE, .file = times};
    return TRUE;
}

gboolean skew_parse_arrivals(const char *name, const char *text, size_t length, Arrival *out, GError **error)
{
    Lines lines;
    lines_of_text(&lines, text, length, name);
    return read_lines(&lines, out, error);
}

static gboolean read_file(const char *name, Arrival *out, GError **error)
{
    Lines lines;
    if (lines_open(&lines, name, NULL))
        return read_lines(&lines, out, error);
    g_autofree char *word = g_strndup(name, strcspn(name, ":")), *quoted = error_quote(name);
    g_autofree char *hint = nearest_hint(word, arrival_names);
    return bad_input(error,
                     "--arrival %s is neither a pattern nor a file that can be read%sallowed: one-late:TIME, "
                     "ascending:TIME, random:TIME:SEED, or a file with a time for each rank",
                     quoted, hint);
}

gboolean skew_parse_arrival(const char *text, Arrival *out, GError **error)
{
    const char *const *const names = arrival_names;
    g_auto(GStrv) part = g_strsplit(text, ":", -1);
    const guint n = g_strv_length(part);
    int kind = -1;
    for (int i = 0; names[i]; i++)
        if (n > 0 && strcmp(part[0], names[i]) == 0)
            kind = i;
    if (kind < 0)
        return read_file(text, out, error);
    Arrival x = {.kind = (ArrivalKind)(ARRIVAL_ONE_LATE + kind), .seed = 1};
    const guint most = x.kind == ARRIVAL_RANDOM ? 3 : 2;
    if (n > most)
        return bad_input(error, "--arrival %s has too many parts; allowed: %s:TIME%s", text, names[kind],
                         most == 3 ? ":SEED" : "");
    if (!option_ns("--arrival", text, part[1], &x.ns, error) ||
        (n == 3 && !option_number("--arrival", text, "seed", part[2], 0, &x.seed, error)))
        return FALSE;
    *out = x;
    return TRUE;
}

// ---- Noise ----------------------------------------------------------------------------------------------------------

// Parses "exp:1us", "uniform:2us" or "spike:50us:1000", which is in part[1 ..].
static gboolean parse_draw(const char *text, char **part, guint n, NoiseDraw *draw, GError **error)
{
    static const char *const names[] = {"exp", "uniform", "spike", NULL};
    static const char allowed[] = "exp:MEAN, uniform:MOST or spike:TIME:N behind it, such as message:exp:200ns";
    int kind = 0;
    while (names[kind] && (n < 2 || strcmp(part[1], names[kind]) != 0))
        kind++;
    if (draw->kind)
        return bad_input(error, "--noise %s has noise by %s twice; allowed: once", text, part[0]);
    if (!names[kind] || n != (kind == 2 ? 4 : 3)) {
        g_autofree char *hint = nearest_hint(names[kind] || n < 2 ? "" : part[1], names);
        return bad_input(error, "--noise %s: noise by %s has no distribution%sallowed: %s", text, part[0], hint,
                         allowed);
    }
    draw->one_in = 1;
    if (!option_ns("--noise", text, part[2], &draw->ns, error) ||
        (kind == 2 && !option_number("--noise", text, "number of draws", part[3], 1, &draw->one_in, error)))
        return FALSE;
    draw->kind = (NoiseKind)(NOISE_EXPONENTIAL + kind);
    return TRUE;
}

gboolean skew_parse_noise(const char *text, Skew *out, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);
    Skew x = {.noise_seed = 1};
    bool seeded = false;
    for (char **item = items; *item; item++) {
        g_auto(GStrv) part = g_strsplit(*item, ":", -1);
        const guint n = g_strv_length(part);
        const char *first = n > 0 ? part[0] : "";
        const bool message = strcmp(first, "message") == 0, rank = strcmp(first, "rank") == 0;
        if (message || rank) {
            if (!parse_draw(text, part, n, message ? &x.noise.message : &x.noise.rank, error))
                return FALSE;
        } else if (strcmp(first, "seed") == 0 && n == 2 && !seeded) {
            seeded = true;
            if (!option_number("--noise", text, "seed", part[1], 0, &x.noise_seed, error))
                return FALSE;
        } else {
            static const char *const words[] = {"message", "rank", "seed", NULL};
            g_autofree char *quoted = error_quote(*item), *hint = nearest_hint(first, words);
            return bad_input(
                error,
                "--noise: %s%sallowed: message:DRAW, rank:DRAW and seed:N, joined by commas, where DRAW is "
                "exp:MEAN, uniform:MOST or spike:TIME:N",
                quoted, hint);
        }
    }
    g_autofree char *shown = error_quote(text);
    if (!skew_is_noisy(&x))
        return bad_input(
            error, "--noise %s has no noise; allowed: message:DRAW or rank:DRAW, such as message:exp:200ns", shown);
    out->noise = x.noise;
    out->noise_seed = x.noise_seed;
    return TRUE;
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

gboolean skew_check(const Skew *x, int p, GError **error)
{
    const GArray *file = x->arrival.file;
    return !file || file->len == (guint)p ||
           bad_input(error, "the file of --arrival has %u times; allowed: %d, one for each rank", file->len, p);
}

bool skew_is_noisy(const Skew *x)
{
    return x->noise.message.kind || x->noise.rank.kind;
}

bool skew_disturbs(const Skew *x)
{
    return x->arrival.kind != ARRIVAL_TOGETHER || skew_is_noisy(x);
}

bool skew_is_random(const Skew *x)
{
    return x->arrival.kind == ARRIVAL_RANDOM || skew_is_noisy(x);
}

static uint64_t arrival_of(const Arrival *x, int p, int rank, uint64_t seed)
{
    switch (x->kind) {
    case ARRIVAL_ONE_LATE:
        return rank == p - 1 ? x->ns : 0;
    case ARRIVAL_ASCENDING: // at most 2^40 * 2^27
        return p == 1 ? 0 : (uint64_t)((unsigned __int128)x->ns * (unsigned)rank / (unsigned)(p - 1));
    case ARRIVAL_RANDOM:
        return draws_uniform(draws_bits(draws_stream(seed, OF_ARRIVALS, (uint64_t)rank), 0), x->ns);
    case ARRIVAL_FILE:
        return g_array_index(x->file, uint64_t, rank);
    case ARRIVAL_TOGETHER:
        break;
    }
    return 0;
}

uint64_t *skew_arrivals(const Skew *x, int p, int i)
{
    if (x->arrival.kind == ARRIVAL_TOGETHER)
        return NULL;
    uint64_t *ns = g_new(uint64_t, p);
    for (int rank = 0; rank < p; rank++)
        ns[rank] = arrival_of(&x->arrival, p, rank, x->arrival.seed + (uint64_t)i);
    return ns;
}

double *skew_starts(const uint64_t *arrivals, int p)
{
    double *s = arrivals ? g_new(double, p) : NULL;
    for (int rank = 0; arrivals && rank < p; rank++)
        s[rank] = noise_s(arrivals[rank]);
    return s;
}

int skew_median(int n)
{
    return (n - 1) / 2;
}

int skew_p99(int n)
{
    return (99 * n + 99) / 100 - 1;
}
