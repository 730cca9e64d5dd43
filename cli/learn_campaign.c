#include "learn_campaign.h"
#include "answer/advice/campaign_answer.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/number.h"
#include "judge/validate/logged.h"
#include "judge/validate/predict.h"
#include <math.h>
#include <string.h>

// Measurements of one machine, and what they were read from.
typedef struct CampaignFiles {
    ValidateRows *rows;
    GPtrArray *logs; // of Log *; NULL if the files say themselves which rows count
    LogNames *names;
    Request machine; // without a platform, nothing is simulated
    char *text;      // names of the files, for titles
} CampaignFiles;

static void files_clear(CampaignFiles *f)
{
    validate_rows_free(f->rows);
    g_clear_pointer(&f->logs, g_ptr_array_unref);
    log_names_free(f->names);
    request_clear(&f->machine);
    g_free(f->text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CampaignFiles, files_clear)

// Sets what the header of a file says: whether it is a file of rows, as validate reads and writes, and whether these
// have predictions. A file that cannot be read is none; who reads it as a log says why.
static void look_at(const char *path, gboolean *rows, gboolean *predicted)
{
    *rows = *predicted = FALSE;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return;
    g_autoptr(GError) ignored = NULL;
    Csv *csv = csv_read(path, &ignored);
    *rows = csv && csv_column(csv, "use") >= 0;
    *predicted = *rows && csv_column(csv, "predicted_s") >= 0;
    csv_free(csv);
}

// Reads files of rows.
static gboolean read_rows(const LearnCampaign *ask, char **files, gboolean simulate, CampaignFiles *to, GError **error)
{
    LogReading how = {.command = "learn"};
    to->rows = validate_rows_new();
    if (!ask_reading(ask->logs, "learn", &how, &to->names, error))
        return FALSE;
    for (; *files; files++) {
        gboolean rows, predicted;
        look_at(*files, &rows, &predicted);
        if (!rows)
            return bad_input(error,
                             "%s has no column `use`, and other files of --from or --test have; allowed: rows of "
                             "validate alone, or logs alone",
                             *files);
        if (!validate_rows_read(to->rows, *files, predicted && !simulate ? "predicted_s" : NULL, &how, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_logs(const LearnCampaign *ask, char **files, CampaignFiles *to, GPtrArray *notes, GError **error)
{
    LogReading how;
    LogOptions logs = *ask->logs; // whose texts stay the caller's
    logs.files = files;
    if (!ask_reading(&logs, "learn", &how, &to->names, error))
        return FALSE;
    how.defaults = TRUE;
    if (!(to->logs = ask_logs(&logs, &how, error)))
        return FALSE;
    const Model *model = to->machine.machine.model ? to->machine.machine.model : &measured_model;
    to->rows = validate_rows_logged(to->logs, model, FALSE, TRUE, notes, error);
    return to->rows != NULL;
}

// Adds the measured rows of the collectives that are chosen, if they say which algorithm ran. A twin is another code of
// an algorithm.
static void add_rows(GArray *to, const LearnCampaign *ask, const ValidateRows *rows, gboolean tested)
{
    for (guint i = 0; rows && i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        for (int c = 0; c < N_COLLECTIVES; c++) {
            const CampaignRow one = {.set = row->set,
                                     .group = row->group,
                                     .collective = (Collective)c,
                                     .algorithm = row->algorithm,
                                     .p = row->sample.p,
                                     .per_node = row->sample.per_node,
                                     .bytes = row->bytes,
                                     .measured_s = row->measured_s,
                                     .predicted_s = row->predicted_s,
                                     .usual = validate_row_default(row),
                                     .calibrates = row->use == ROW_CALIBRATE,
                                     .tested = tested};
            if (ask->chosen[c] && strcmp(collectives[c].name, row->collective) == 0 && row->use != ROW_TWIN &&
                *row->algorithm && row->sample.p > 1)
                g_array_append_val(to, one);
        }
    }
}

// Reads the files of --from or --test, and simulates their rows if there is a platform.
static gboolean read_files(const LearnCampaign *ask, char **files, const char *platform, CampaignFiles *to,
                           GPtrArray *notes, GError **error)
{
    gboolean rows, predicted;
    to->text = g_strjoinv(", ", files);
    look_at(*files, &rows, &predicted);
    if (platform) {
        RequestOptions one = *ask->request;
        one.platform = (char *)(uintptr_t)platform;
        if (!ask_machine(&one, &to->machine, error))
            return FALSE;
    }
    if (!(rows ? read_rows(ask, files, platform != NULL, to, error) : read_logs(ask, files, to, notes, error)))
        return FALSE;
    const PredictPlan plan = {.model = to->machine.machine.model,
                              .platform = to->machine.machine.platform,
                              .network = to->machine.machine.options.network};
    return !platform || validate_predict(to->rows, &plan, notes, error);
}

static gboolean find_split(const LearnCampaign *ask, CampaignSplit *split, GError **error)
{
    *split = (CampaignSplit){.feature = ask->feature};
    if (ask->above && !number_int(ask->above, 1, LIMIT_RANKS, &split->above))
        return bad_input(error, "--leave-out 'p>%s' is not a number of ranks; allowed: such as 'p>64'", ask->above);
    return !(ask->above && ask->test) ||
           bad_input(error, "--leave-out 'p>%s' with --test: both say what is tested; allowed: one of them",
                     ask->above);
}

// ---- What to measure next -------------------------------------------------------------------------------------------

// Returns the places of -p (of CampaignPlace), and sets *sizes to those of -m; NULL for what was not given.
static gboolean find_grid(const LearnCampaign *ask, GArray **places, GArray **sizes, GError **error)
{
    const RequestOptions *o = ask->request;
    g_autoptr(GArray) per_node = NULL, ranks = o->ranks ? options_ranks(o->ranks, &per_node, error) : NULL;
    if ((o->ranks && !ranks) || (o->sizes && !(*sizes = options_sizes(o->sizes, error))))
        return FALSE;
    *places = ranks ? g_array_new(FALSE, FALSE, sizeof(CampaignPlace)) : NULL;
    for (guint i = 0; ranks && i < ranks->len; i++)
        g_array_append_val(*places, ((CampaignPlace){(int)g_array_index(ranks, size_t, i),
                                                     per_node ? g_array_index(per_node, int, i) : 0}));
    return TRUE;
}

// Adds a row to be simulated: a measured one of this choice, moved to the point. Returns FALSE if none was measured.
static gboolean add_moved(const CampaignQuestion *q, const CampaignNext *next, const char *algorithm,
                          const ValidateRows *measured, ValidateRows *to)
{
    for (guint i = 0; i < measured->rows->len; i++) {
        ValidateRow row = g_array_index(measured->rows, ValidateRow, i);
        if (strcmp(row.algorithm, algorithm) != 0 || strcmp(row.collective, collectives[q->collective].name) != 0 ||
            !row.known || validate_row_default(&row))
            continue;
        row.sample.p = next->p;
        row.sample.per_node = next->per_node;
        row.sample.bytes = row.bytes = next->m;
        row.sample.map = "";
        row.sample.element =
            log_element_of(collectives[q->collective].reduces, next->m, row.sample.element, 0, LOG_USUAL_ELEMENT);
        row.predicted_s = NAN;
        row.use = ROW_SCORE;
        row.group = "";
        g_array_append_val(to->rows, row);
        return TRUE;
    }
    return FALSE;
}

// Simulates all choices at all points, and sets which of them to measure.
static gboolean simulate_next(const Campaign *x, const CampaignFiles *from, GArray *all, GError **error)
{
    g_autoptr(ValidateRows) rows = validate_rows_new();
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    const PredictPlan plan = {.model = from->machine.machine.model, .platform = from->machine.machine.platform};
    for (guint i = 0; i < all->len; i++) {
        const CampaignNext *next = &g_array_index(all, CampaignNext, i);
        const CampaignQuestion *q = x->questions->pdata[next->question];
        for (guint c = 0; c < q->data->choices->len; c++)
            add_moved(q, next, learn_choice(q->data, c)->name, from->rows, rows);
    }
    if (!validate_predict(rows, &plan, notes, error))
        return FALSE;
    for (guint i = 0, row = 0; i < all->len; i++) {
        CampaignNext *next = &g_array_index(all, CampaignNext, i);
        const LearnData *data = ((const CampaignQuestion *)x->questions->pdata[next->question])->data;
        g_autofree double *predicted_s = g_new(double, data->choices->len);
        for (guint c = 0; c < data->choices->len; c++) {
            const ValidateRow *r = row < rows->rows->len ? &g_array_index(rows->rows, ValidateRow, row) : NULL;
            const gboolean own = r && strcmp(r->algorithm, learn_choice(data, c)->name) == 0;
            predicted_s[c] =
                own && !r->ran ? r->predicted_s : NAN; // the time of a fallback is not that of the algorithm
            row += own;
        }
        campaign_next_choose(x, predicted_s, next);
    }
    return TRUE;
}

// Finds what to measure next; *next is NULL if nobody asks. Returns FALSE and an error on bad input.
static gboolean find_next(const LearnCampaign *ask, const Campaign *x, const CampaignFiles *from, GArray **next,
                          GError **error)
{
    g_autoptr(GArray) places = NULL, sizes = NULL;
    if (!ask->next)
        return TRUE;
    if (!find_grid(ask, &places, &sizes, error))
        return FALSE;
    *next = campaign_next(x, places, sizes, ask->next);
    return !from->machine.machine.platform || simulate_next(x, from, *next, error);
}

int learn_campaign(const LearnCampaign *ask, GError **error)
{
    g_auto(CampaignFiles) from = {0}, test = {0};
    g_auto(Answer) answer = {0};
    g_auto(Output) drawing = {0};
    g_auto(GStrv) platforms = g_strsplit(ask->platform ? ask->platform : "", ",", -1);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    const guint n = g_strv_length(platforms);
    CampaignSplit split;
    if (n > 2 || (n == 2 && !ask->test)) {
        bad_input(error, "--platform %s: allowed: one platform, or with --test one for --from and one for --test",
                  ask->platform);
        return 2;
    }
    if (!find_split(ask, &split, error) || !answer_open(&answer, &ask->request->answer, error) ||
        !picture_open(ask->draw, &drawing, error) ||
        !read_files(ask, ask->from, n ? platforms[0] : NULL, &from, notes, error) ||
        (ask->test && !read_files(ask, ask->test, n ? platforms[n - 1] : NULL, &test, notes, error)))
        return 2;
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CampaignRow));
    add_rows(rows, ask, from.rows, FALSE);
    add_rows(rows, ask, test.rows, TRUE);
    g_autoptr(Campaign) measured = campaign_new(rows, ask->apart, error);
    g_autoptr(CampaignTests) tests = measured ? campaign_tests(measured, ask->limits, &split, error) : NULL;
    if (!tests)
        return 2;
    g_autoptr(GArray) next = NULL;
    if (!find_next(ask, measured, &from, &next, error))
        return 2;
    g_autoptr(GArray) shares = ask->seeds ? campaign_shares(measured, ask->limits, ask->feature, ask->seeds) : NULL;
    const CampaignAnswer x = {measured, tests,     &split,    shares,        ask->seeds,
                              next,     from.text, test.text, ask->platform, notes};
    if (ask->draw->path && !canvas_close(campaign_canvas(&x, ask->draw), &drawing, error))
        return 2;
    campaign_report(&answer, &x);
    return answer_close(&answer, error) ? 0 : 2;
}
