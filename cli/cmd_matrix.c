#include "answer/engine/goal_answer.h"
#include "answer/engine/matrix_answer.h"
#include "ask/ask.h"
#include "out/note.h"
#include "base/error.h"
#include "cli.h"
#include "engine/goal/goal_text.h"
#include "out/picture.h"
#include "engine/schedule/record.h"

static const char help_text[] = "Says how many bytes and messages ranks send to each other: a matrix of senders\n"
                                "and receivers. It is counted, not replayed, so it takes no time that the run\n"
                                "would take, and no machine's figures matter.\n"
                                "\n"
                                "  collsim matrix allreduce ring -p 8 -m 1M\n"
                                "  collsim matrix bcast smp -p 4x8 -m 64K --draw smp.svg\n"
                                "  collsim matrix alltoall pairwise -p 32K -m 8 --platform lumi -o lumi.svg\n"
                                "  collsim matrix --goal bcast.goal -f csv\n"
                                "\n"
                                "Of many ranks, a cell has the sums of as many consecutive ranks as are needed\n"
                                "for --cells. Where ranks are on nodes, those of consecutive ranks are outlined,\n"
                                "and the answer says which share stays inside the units of each level. With\n"
                                "--platform these are the levels of the machine, such as sockets and groups.\n"
                                "\n"
                                "CSV has a row for each cell that is not empty. What passes through shared\n"
                                "memory is not a message.\n"
                                "\n" HELP_BYTES "\n" HELP_NODES;

static const char usage[] = "COLLECTIVE ALGORITHM, or --goal FILE";

typedef struct MatrixOptions {
    RequestOptions request;
    char *goal, *cells;
    PictureAsk draw;
    gboolean messages;
} MatrixOptions;

static void options_clear(MatrixOptions *o)
{
    request_options_clear(&o->request);
    g_free(o->goal);
    g_free(o->cells);
    picture_ask_clear(&o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MatrixOptions, options_clear)

// Writes the answer, and the picture if there is to be one. Returns the exit status.
static int write_matrix(MatrixAnswer *x, const MatrixOptions *o, GError **error)
{
    g_auto(Answer) answer = {0};
    g_auto(Output) drawing = {0};
    x->messages = o->messages || (x->matrix->all.bytes == 0 && x->matrix->all.messages > 0);
    if (x->messages && !o->messages)
        note("all messages have 0 bytes, so messages are shown");
    if (!answer_open(&answer, &o->request.answer, error) || !picture_open(&o->draw, &drawing, error) ||
        (o->draw.path && !canvas_close(matrix_canvas(x, &o->draw), &drawing, error)))
        return 2;
    if (!o->draw.path || o->request.answer.format || o->request.answer.output)
        matrix_report(&answer, x);
    return answer_close(&answer, error) ? 0 : 2;
}

// Returns the schedule of a point, or NULL and an error if it sends no messages. Free with schedule_free.
static Schedule *schedule_of(const Request *r, Point *x, GError **error)
{
    const Operation op = point_operation(r, x);
    if (!op.algorithm) {
        bad_input(error, "%s cannot run on %d ranks: %s", x->algorithm->name, x->p, x->why ? x->why : "not known");
        return NULL;
    }
    if (op.algorithm->shared) {
        bad_input(error, "%s works in shared memory, without messages; allowed: an algorithm that sends messages",
                  op.algorithm->name);
        return NULL;
    }
    g_autofree char *ran = point_ran(x);
    if (ran)
        note("%s runs instead of %s", ran, x->algorithm->name);
    return schedule_admit(&op, &(RecordOptions){.mixes = true, .unordered = true}, 0, NULL, error);
}

static int matrix_algorithm(char **words, const MatrixOptions *o, size_t cells, GError **error)
{
    g_auto(Request) r = {0};
    if (!ask_operation(words, &o->request, &r, error) ||
        (o->request.platform && !(r.machine.platform = ask_platform(o->request.platform, error))))
        return 2;
    g_autoptr(GPtrArray) points = points_make(&r, error);
    if (!points)
        return 2;
    if (points->len != 1) {
        bad_input(error, "a matrix shows one run, and these are %u; allowed: one algorithm, -p, -m and root",
                  points->len);
        return 2;
    }
    Point *x = g_ptr_array_index(points, 0);
    Schedule *s = schedule_of(&r, x, error);
    if (!s)
        return 2;
    const Mapping *map = request_mapping(&r.machine, x->p, x->per_node);
    g_autoptr(Matrix) matrix =
        matrix_of_schedule(s, map, r.machine.platform ? &r.machine.platform->levels : NULL, (int)cells);
    schedule_free(s);
    if (r.machine.platform && !matrix->n_levels)
        note("every rank has a node of its own, so there are no levels; see -p NxK and --map");
    g_autofree char *point = point_name(x), *name = g_strdup_printf("%s %s", question_name(&r.question), point);
    MatrixAnswer answer = {.matrix = matrix, .name = name, .request = &r, .point = x};
    return write_matrix(&answer, o, error);
}

static int matrix_goal(const MatrixOptions *o, size_t cells, GError **error)
{
    static const char allowed[] = "--cells, --messages, --draw, -f, -o";
    if (o->request.platform)
        return bad_input(error, "--platform does not apply to a GOAL schedule; allowed with --goal: %s", allowed), 2;
    if (!goal_run_check(&o->request, allowed, error))
        return 2;
    g_autoptr(Goal) goal = goal_read(o->goal, error);
    if (!goal)
        return 2;
    g_autoptr(Matrix) matrix = matrix_of_goal(goal, (int)cells, error);
    if (!matrix) {
        g_prefix_error(error, "%s: ", o->goal);
        return 2;
    }
    MatrixAnswer answer = {.matrix = matrix, .name = o->goal};
    return write_matrix(&answer, o, error);
}

int cmd_matrix(int argc, char **argv, GError **error)
{
    g_auto(MatrixOptions) o = {.request.libraries = TRUE, .request.one_root = TRUE};
    const GOptionEntry entries[] = {
        ONE_RUN_ENTRIES("ranks", o.request),
        ENTRY_STRING("platform", 0, o.request.platform, "machine, or an .ini file, for its levels", "NAME|FILE"),
        {"goal", 0, 0, G_OPTION_ARG_FILENAME, &o.goal, "a GOAL schedule (- for standard input)", "FILE"},
        {"messages", 0, 0, G_OPTION_ARG_NONE, &o.messages, "show messages instead of bytes", NULL},
        ENTRY_STRING("cells", 0, o.cells, "at most N cells a side, up to 256 (default 64)", "N"),
        DRAW_ENTRIES(o.draw, "draw to FILE.svg, .png or .pdf"),
        ANSWER_ENTRIES(o.request.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    size_t cells = 64;
    if (!options_parse(argc, argv, usage, help_text, entries, 0, 2, &words, error) ||
        !options_check_goal("matrix", usage, words, o.goal != NULL, error))
        return 2;
    picture_synonym(&o.request.answer.output, &o.draw);
    if (!picture_ask(&o.draw, "--draw", error) || !options_number("--cells", o.cells, 1, MATRIX_CELLS, &cells, error))
        return 2;
    return o.goal ? matrix_goal(&o, cells, error) : matrix_algorithm(words, &o, cells, error);
}
