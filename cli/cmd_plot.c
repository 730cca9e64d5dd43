#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/output.h"
#include "base/text.h"
#include "cli.h"
#include "figure/bars.h"
#include "figure/figure.h"
#include "figure/winners.h"
#include "measurements/logs/logs.h"
#include "out/note.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_FILES = 64 };

typedef struct {
    char *x, *y, *baseline, *only;
    PictureAsk ask;
    gboolean all, map;
    char **names; // the names in `only`; NULL if it was not given
    char **files;
} PlotOptions;

static void options_clear(PlotOptions *options)
{
    picture_ask_clear(&options->ask);
    g_free(options->x);
    g_free(options->y);
    g_free(options->baseline);
    g_free(options->only);
    g_strfreev(options->names);
    g_strfreev(options->files);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PlotOptions, options_clear)

static const char help_text[] = "Draws time over message size or ranks, one line per algorithm and one panel per\n"
                                "collective, from the CSV of `collsim run` and `collsim measure`, or from logs of\n"
                                "OSU, IMB and nccl-tests, with labels as `collsim calibrate` takes them (- for\n"
                                "standard input). Without -o it draws with characters.\n"
                                "\n"
                                "  collsim run allreduce all -p 32K -m 8..32M:x4 --format csv > allreduce.csv\n"
                                "  collsim plot allreduce.csv -o allreduce.svg\n"
                                "  collsim plot predicted.csv measured.csv -o both.svg\n"
                                "\n"
                                "  collsim run bcast all -p 64x1,64x4,64x16 -m 8,64K -f csv > nodes.csv\n"
                                "  collsim plot nodes.csv --x per-node -o nodes.svg\n"
                                "\n"
                                "A picture is as large as its texts need; a pdf is at most 11 inches wide. --size\n"
                                "sets its size, for example that of a column of a paper, and --font that of its\n"
                                "text, which shrinks where a picture is too small for it.\n"
                                "\n"
                                "  collsim plot allreduce.csv --size column --title '' -o allreduce.pdf\n"
                                "  collsim plot allreduce.csv --size 7x4 --font 9 -o allreduce.pdf\n"
                                "\n"
                                "Where all points have one size and one p there are bars, the fastest first. A\n"
                                "time of more than 20 times the least has a bar that is cut.\n"
                                "\n"
                                "--y chooses what is drawn instead of time:\n"
                                "  bandwidth    size / time, with the size of -m\n"
                                "  speedup      the time of --baseline / time\n"
                                "  x-bound      time / lower bound of the collective\n"
                                "  x-predicted  measured / predicted time, of files that have both; also of what\n"
                                "               `collsim validate --points -f csv` writes\n"
                                "  shares       what the critical path spends on alpha, beta, gamma and so on, by\n"
                                "               level, as bars of one length\n"
                                "  parts        the same as bars as long as the time\n"
                                "\n"
                                "  collsim plot nodes.csv --y bandwidth -o bandwidth.svg\n"
                                "  collsim plot allreduce.csv --y speedup --baseline ring -o speedup.svg\n"
                                "  collsim plot allreduce.csv --y x-bound -o bound.svg\n"
                                "  collsim plot predicted.csv measured.csv --y x-predicted -o errors.svg\n"
                                "  collsim plot allreduce.csv --only ring,bine --y shares -o shares.svg\n"
                                "  collsim plot allreduce.csv --only ring,bine --y parts -o parts.svg\n"
                                "\n"
                                "Predictions are lines; measurements are points with bars from the least time to\n"
                                "the 95th percentile, hollow if ranks shared cores. If a file has both, the title\n"
                                "says which algorithm wins by measurement, and by how much the predictions are\n"
                                "off in the median. It names no winner where the least time of another algorithm\n"
                                "is not above the median of the fastest.\n"
                                "\n"
                                "Each p (over p, each size) has a panel of its own if there are more than two, or\n"
                                "two with both predictions and measurements; at most 12 of them, and 24 panels.\n"
                                "Three and more panels share one legend. A file may lack an algorithm at a point\n"
                                "where it could run, as that of `collsim best` does: there its line is thin, and\n"
                                "its end has a ring. So has the end of a line where another algorithm ran beyond\n"
                                "it. A note names the algorithms whose parameters change along their lines.\n"
                                "\n"
                                "What files predict for several machines, or for the same ranks on other nodes,\n"
                                "has a line for each, as 'ring on lumi' and 'ring 16x4'.\n"
                                "\n"
                                "Algorithms with equal times share a line that names them all. If there are more\n"
                                "than 8 lines, only some are drawn: every line that is the fastest somewhere or a\n"
                                "library's default (LIB:auto), and then the lines that come nearest to the\n"
                                "fastest, up to 8 in all, if they come within 10 times its time. A line under the\n"
                                "title says how many are left out; --only and --all change the choice.\n"
                                "\n"
                                "--map draws a grid, and each place has the colour of the algorithm that is the\n"
                                "fastest there: over nodes and ranks per node if the file has ranks per node\n"
                                "and one size (run -p 2x8,2x32,4x8,4x32), and otherwise over sizes and ranks.\n"
                                "The colour is strong where the second takes more than 25 % longer, light where\n"
                                "it takes less than 5 %, and hatched where both tie. Without -o the map is a\n"
                                "table. A map is of one machine, and may have up to 40 columns and 1024 rows.\n"
                                "\n"
                                "  collsim run allreduce all -p 4,8,12,16 -m 8..1M:x8 -f csv > places.csv\n"
                                "  collsim plot places.csv --map -o map.svg";

static gboolean read_options(int argc, char **argv, PlotOptions *options, GError **error)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->ask.path, "draw to FILE.svg, FILE.png or FILE.pdf", "FILE"},
        ENTRY_STRING("x", 'x', options->x, "horizontal axis (default: what has more values)", "size|p|per-node"),
        ENTRY_STRING("y", 'y', options->y, "what is drawn (default: time)", "WHAT"),
        ENTRY_STRING("baseline", 0, options->baseline, "for speedup (default: LIB:auto or the first)", "NAME"),
        {"title", 't', 0, G_OPTION_ARG_FILENAME, &options->ask.title, "replaces the title; '' for none", "TEXT"},
        PICTURE_SIZE_ENTRIES(options->ask),
        ENTRY_STRING("only", 0, options->only, "draw only these algorithms", "NAME,NAME.."),
        {"all", 0, 0, G_OPTION_ARG_NONE, &options->all, "draw every algorithm, up to 45 lines", NULL},
        {"map", 0, 0, G_OPTION_ARG_NONE, &options->map, "draw a map of who is the fastest where", NULL},
        {NULL},
    };
    if (!options_parse(argc, argv, "[LABEL=]FILE...", help_text, entries, 1, MAX_FILES, &options->files, error))
        return FALSE;
    if (options->only && options->all)
        return bad_input(error, "--only and --all cannot be used together; allowed: one of them");
    if (options->map && (options->only || options->all || options->x || options->y || options->baseline))
        return bad_input(error,
                         "--map cannot be used with --only, --all, --x, --y and --baseline; allowed: -o, --title, "
                         "--size, --font");
    if (!picture_ask(&options->ask, "-o", error))
        return FALSE;
    if (options->baseline && (!options->y || strcmp(options->y, figure_y_names[FIGURE_Y_SPEEDUP])))
        return bad_input(error, "--baseline is for --y speedup; allowed: --y speedup --baseline NAME");
    options->names = options->only ? g_strsplit(options->only, ",", -1) : NULL;
    for (char **name = options->names; name && *name; name++)
        g_strstrip(*name);
    return TRUE;
}

static gboolean choose_axis(const char *x, FigureX *axis, GError **error)
{
    static const char *const names[] = {"size", "p", "per-node", NULL};
    static const FigureX axes[] = {FIGURE_X_SIZE, FIGURE_X_RANKS, FIGURE_X_PER_NODE};
    *axis = FIGURE_X_AUTO;
    for (guint i = 0; x && i < G_N_ELEMENTS(axes); i++)
        if (strcmp(x, names[i]) == 0)
            *axis = axes[i];
    g_autofree char *shown = x ? error_quote(x) : NULL, *hint = x ? nearest_hint(x, names) : NULL;
    return !x || *axis != FIGURE_X_AUTO || bad_input(error, "--x %s%sallowed: size, p or per-node", shown, hint);
}

static gboolean choose_vertical(const char *y, FigureY *axis, GError **error)
{
    *axis = FIGURE_Y_TIME;
    while (y && *axis < N_FIGURE_Y && strcmp(y, figure_y_names[*axis]) != 0)
        (*axis)++;
    const char *names[N_FIGURE_Y + 1] = {NULL};
    for (int i = 0; i < N_FIGURE_Y; i++)
        names[i] = figure_y_names[i];
    g_autofree char *shown = y ? error_quote(y) : NULL, *hint = y ? nearest_hint(y, names) : NULL;
    return *axis < N_FIGURE_Y || bad_input(error,
                                           "--y %s%sallowed: time, bandwidth, speedup, x-bound, x-predicted, shares "
                                           "or parts",
                                           shown, hint);
}

// Returns the size of a text picture, in characters: the size of the terminal, 80x24 if it is unknown, and 100x30 if
// stdout is not a terminal.
static void text_size(int *columns, int *rows)
{
    struct winsize window = {0};
    *columns = 100;
    *rows = 30;
    if (!isatty(STDOUT_FILENO))
        return;
    const gboolean known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) && window.ws_col && window.ws_row;
    *columns = known ? CLAMP(window.ws_col, 60, 200) : 80;
    *rows = known ? CLAMP(window.ws_row - 1, 20, 60) : 24; // one line less, for the prompt below
}

// Writes the picture to the file of -o. Frees the canvas.
static gboolean draw(Canvas *canvas, const PlotOptions *options, GError **error)
{
    g_autoptr(Canvas) drawn = canvas;
    g_auto(Output) output = {0};
    return picture_open(&options->ask, &output, error) && canvas_close(g_steal_pointer(&drawn), &output, error);
}

// Draws the lines of a figure or its bars, or prints them.
static gboolean draw_figure(const GPtrArray *tables, FigureX x, FigureY y, const PlotOptions *options, GError **error)
{
    const FigureChoice choice = {options->all, options->names};
    g_autoptr(Figure) figure = figure_read(tables, x, y, options->baseline, &choice, error);
    g_autoptr(Bars) bars = figure && figure->bars ? bars_new(figure, error) : NULL;
    if (!figure || (figure->bars && !bars))
        return FALSE;
    if (options->ask.path)
        return draw(bars ? bars_canvas(bars, &options->ask) : figure_canvas(figure, &choice, &options->ask), options,
                    error);
    int columns, rows;
    text_size(&columns, &rows);
    if (bars)
        bars_print(bars, options->ask.title, (size_t)columns, stdout);
    else
        figure_print(figure, &choice, options->ask.title, columns, rows, stdout);
    return output_check_stdout(error);
}

static gboolean draw_map(const GPtrArray *tables, const PlotOptions *options, GError **error)
{
    g_autoptr(WinnerMap) map = winner_map_read(tables, error);
    if (!map)
        return FALSE;
    if (map->xs->len == 1 && map->ys->len == 1) // one place: a map would be one colour
        return draw_figure(tables, FIGURE_X_AUTO, FIGURE_Y_TIME, options, error);
    if (!options->ask.path) {
        int columns, rows;
        text_size(&columns, &rows);
        winner_map_print(map, options->ask.title, (size_t)columns, stdout);
        return output_check_stdout(error);
    }
    map->width = canvas_width(&options->ask, 0);
    g_autoptr(FigureGrid) grid = winner_map_grid(map);
    return draw(figure_grid_canvas(grid, &options->ask), options, error);
}

// Reads a CSV whose columns collsim writes. Rows with another number of fields are passed over, as in a log.
static Csv *read_rows(const char *text, size_t length, const char *name, GError **error)
{
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func((GDestroyNotify)g_error_free);
    g_autoptr(Csv) csv = text_check(text, length, LIMIT_TABLE_BYTES, name, error)
                             ? csv_parse_good(text, length, name, faults, error)
                             : NULL;
    if (csv && faults->len && !csv_rows(csv)) {
        g_propagate_error(error, g_error_copy(faults->pdata[0]));
        return NULL;
    }
    for (guint i = 0; csv && i < faults->len; i++) {
        g_autofree char *note = g_strdup_printf("%s; the row is passed over", ((GError *)faults->pdata[i])->message);
        note_line(note);
    }
    return g_steal_pointer(&csv);
}

// Reads a CSV whose columns collsim writes, or makes one of a log.
static Csv *read_table(const char *argument, GError **error)
{
    g_auto(LogLabel) label = {0};
    const char *path;
    size_t length;
    g_autofree char *text =
        log_label(argument, &label, &path, error) ? text_read(path, LIMIT_TABLE_BYTES, &length, error) : NULL;
    if (!text)
        return NULL;
    const char *const begin = csv_begin(text);
    g_autofree char *first = g_strndup(begin, strcspn(begin, "\n"));
    const LogReading how = {.in_place = TRUE};
    if (!label.given && !label.part && (!length || (log_csv_is(first) && strstr(first, "collective"))))
        return read_rows(text, length, text_name(path), error);
    g_autoptr(Log) log = log_parse(text, length, text_name(path), &label, &how, error);
    g_autoptr(GPtrArray) logs = g_ptr_array_new(), notes = g_ptr_array_new_with_free_func(g_free);
    Csv *const table = log ? log_table(log, error) : NULL;
    if (table)
        g_ptr_array_add(logs, log);
    logs_note(logs, "they are drawn as they are", notes);
    for (guint i = 0; i < notes->len; i++)
        note_line(g_ptr_array_index(notes, i));
    return table;
}

static GPtrArray *read_tables(char **files, GError **error)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)csv_free);
    for (; *files; files++) {
        Csv *const csv = read_table(*files, error);
        if (!csv)
            return NULL;
        g_ptr_array_add(tables, csv);
    }
    return g_steal_pointer(&tables);
}

int cmd_plot(int argc, char **argv, GError **error)
{
    g_auto(PlotOptions) options = {0};
    FigureX x;
    FigureY y;
    if (!read_options(argc, argv, &options, error) || !choose_axis(options.x, &x, error) ||
        !choose_vertical(options.y, &y, error))
        return 2;
    g_autoptr(GPtrArray) tables = read_tables(options.files, error);
    if (!tables)
        return 2;
    const gboolean done = options.map ? draw_map(tables, &options, error) : draw_figure(tables, x, y, &options, error);
    return done ? 0 : 2;
}
