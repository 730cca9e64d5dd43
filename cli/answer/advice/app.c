#include "answer/advice/app.h"
#include "base/escape.h"
#include "answer/advice/tune_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include "advice/tune/tune.h"
#include <math.h>
#include <string.h>

static void fill_share(Sheet *sheet, const char *column, double share)
{
    sheet_number(sheet, column, share);
    if (!isnan(share))
        sheet_show(sheet, column, g_strdup_printf("%.1f %%", 100 * share));
}

// ---- The command ----------------------------------------------------------------------------------------------------

// Returns TRUE if a rules file can save something of a collective's time.
static gboolean can_save(const RequestLibrary *lib, const MixCollective *x)
{
    return mix_saves(&x->sum) > 0 && tune_can(lib->only, x->collective);
}

// Sets which[i] of N_COLLECTIVES for the collectives whose rules save time, and returns them joined by commas, those that
// take longest first; NULL if there are none. Free with g_free.
static char *collectives_to_tune(const RequestLibrary *lib, const Mix *mix, gboolean *which)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < mix->collectives->len; i++) {
        const MixCollective *x = &g_array_index(mix->collectives, MixCollective, i);
        which[x->collective] = can_save(lib, x);
        if (which[x->collective])
            g_string_append_printf(names, "%s%s", names->len ? "," : "", collectives[x->collective].name);
    }
    return g_string_free(names, names->len == 0);
}

// Returns the length of elements for which no size of a reduction is left out.
static size_t shortest_element(const Mix *mix, const gboolean *which)
{
    size_t least = 8;
    for (guint i = 0; i < mix->rows->len; i++) {
        const ProfileRow *row = &g_array_index(mix->rows, MixRow, i).of;
        if (which[row->collective] && collectives[row->collective].reduces)
            least = MIN(least, row->elem);
    }
    return least;
}

static void append_option(GString *s, const char *option, const char *value)
{
    if (!value)
        return;
    g_autofree char *word = escape_shell(value);
    g_string_append_printf(s, " %s %s", option, word);
}

// Returns the command that writes the rules file; NULL if no rules save anything. Free with g_free.
static char *tune_command(const RequestLibrary *lib, gboolean pair, const Profile *profile, const Mix *mix,
                          const RequestOptions *o)
{
    gboolean which[N_COLLECTIVES] = {FALSE};
    g_autofree char *names = lib->only ? collectives_to_tune(lib, mix, which) : NULL;
    if (!names)
        return NULL;
    g_autofree char *ranks = profile_ranks(profile, which), *sizes = profile_sizes(profile, which);
    const size_t elem = shortest_element(mix, which);
    GString *s = g_string_new(NULL);
    g_string_printf(s, "collsim tune %s %s -p %s -m %s", lib->only->library->name, names, ranks, sizes);
    if (elem < 8)
        g_string_append_printf(s, " --element %" G_GSIZE_FORMAT, elem);
    append_option(s, "--map", o->map);
    append_option(s, "--per-node", o->per_node);
    append_option(s, "--platform", o->platform);
    append_option(s, "--model", o->model);
    append_option(s, "--transfer", o->transfer);
    for (int i = 0; o->sets && o->sets[i]; i++)
        append_option(s, "--set", o->sets[i]);
    const LibraryId id = lib->only->library->id;
    append_option(s, "--han", o->han);
    if (o->no_han)
        g_string_append(s, " --no-han");
    g_string_append(s, pair                                            ? " -o setting"
                       : lib->only->library->family == LIBRARY_UCC     ? " -o ucc.sh"
                       : id == LIBRARY_OMPI_41 || id == LIBRARY_OMPI_5 ? " -o rules.conf"
                                                                       : " -o tuning.json");
    return g_string_free(s, FALSE);
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

// The columns that a sum fills.
#define SUM_COLUMNS "calls", "total_s", "share", "saved_s", "saved_share", "measured_total_s"

// Fills them. `share` is a share of `all`; what is saved is a share of the sum's own time.
static void fill_sum(Sheet *sheet, const MixSum *sum, const MixSum *all, gboolean known)
{
    sheet_count(sheet, "calls", sum->calls);
    sheet_number(sheet, "measured_total_s", sum->measured_s);
    if (!known)
        return;
    sheet_number(sheet, "total_s", sum->total_s);
    fill_share(sheet, "share", mix_share(sum->total_s, all));
    sheet_number(sheet, "saved_s", mix_saves(sum));
    fill_share(sheet, "saved_share", mix_share(mix_saves(sum), sum));
}

// Makes the sheet "rows": a row for each kind of call. Free with sheet_free.
static Sheet *rows_sheet(const Request *r, const Mix *mix)
{
    Sheet *sheet =
        sheet_new("rows", (const char *const[]){"collective", "ranks", "per_node", "bytes", "element", SUM_COLUMNS,
                                                "default_s", "best_s", "x", "decided", "best", "library_id",
                                                "not_in_data", REPORT_SURE_COLUMNS, "library", NULL});
    if (r->library.only)
        sheet_text(sheet, "library", r->library.only->library->name);
    report_machine(sheet, r->machine.platform, r->machine.model,
                   r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL, r->machine.sets);
    for (guint i = 0; i < mix->rows->len; i++) {
        enum { SHOWN = 20 };
        const MixRow *row = &g_array_index(mix->rows, MixRow, i);
        const gboolean known = !isnan(row->default_s);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[row->of.collective].name);
        sheet_count(sheet, "ranks", row->of.p);
        if (row->of.per_node) {
            sheet_show(sheet, "ranks", units_format_ranks(row->of.p, row->of.per_node));
            sheet_count(sheet, "per_node", row->of.per_node);
        }
        sheet_count(sheet, "bytes", (gint64)row->of.m);
        sheet_count(sheet, "element", (gint64)row->of.elem);
        fill_sum(sheet, &row->sum, &mix->sum, known);
        sheet_number(sheet, "default_s", row->default_s);
        sheet_number(sheet, "best_s", row->best_s);
        sheet_number(sheet, "x", row->default_s == row->best_s ? 1 : row->default_s / row->best_s);
        sheet_text(sheet, "decided", row->decided);
        sheet_text(sheet, "best", row->best);
        if (row->best)
            report_short(sheet, "best", row->best, SHOWN);
        sheet_text(sheet, "library_id", row->best_id);
        sheet_text(sheet, "not_in_data", row->missing);
        report_sure(sheet, &row->sure);
    }
    return sheet;
}

// Makes the sheet "collectives": a row for each collective. Free with sheet_free.
static Sheet *collectives_sheet(const Mix *mix)
{
    Sheet *sheet = sheet_new("collectives", (const char *const[]){"collective", SUM_COLUMNS, "unknown", NULL});
    for (guint i = 0; i < mix->collectives->len; i++) {
        const MixCollective *x = &g_array_index(mix->collectives, MixCollective, i);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[x->collective].name);
        fill_sum(sheet, &x->sum, &mix->sum, TRUE);
        sheet_count(sheet, "unknown", x->sum.unknown);
    }
    return sheet;
}

// Makes the sheet "total", of one row. Free with sheet_free.
static Sheet *total_sheet(const Profile *profile, const Mix *mix, const char *command)
{
    Sheet *sheet =
        sheet_new("total", (const char *const[]){SUM_COLUMNS, "unknown", "mpi_s", "profile", "command", NULL});
    sheet_row(sheet);
    fill_sum(sheet, &mix->sum, &mix->sum, TRUE);
    sheet_count(sheet, "unknown", mix->sum.unknown);
    sheet_number(sheet, "mpi_s", profile->mpi_s);
    sheet_text(sheet, "profile", profile->format);
    sheet_text(sheet, "command", command);
    return sheet;
}

// Makes the sheet "others": what is not predicted. Free with sheet_free.
static Sheet *others_sheet(const Profile *profile)
{
    Sheet *sheet =
        sheet_new("others", (const char *const[]){"call", "calls", "measured_total_s", "measured_share", "note", NULL});
    for (guint i = 0; i < profile->others->len; i++) {
        const ProfileOther *other = &g_array_index(profile->others, ProfileOther, i);
        sheet_row(sheet);
        sheet_text(sheet, "call", other->name);
        sheet_count(sheet, "calls", other->calls);
        sheet_number(sheet, "measured_total_s", other->time_s);
        fill_share(sheet, "measured_share", profile->mpi_s > 0 ? other->time_s / profile->mpi_s : NAN);
        sheet_text(sheet, "note", other->why);
    }
    return sheet;
}

// Makes the sheet "notes": what was assumed. Free with sheet_free.
static Sheet *notes_sheet(const Request *r, const Profile *profile)
{
    g_autoptr(GPtrArray) notes = request_remarks(r);
    for (guint i = 0; i < profile->notes->len; i++)
        g_ptr_array_add(notes, g_strdup(profile->notes->pdata[i]));
    return notes->len ? sheet_notes(notes) : NULL;
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Returns TRUE if some row has a measured time.
static gboolean any_measurement(const Mix *mix)
{
    for (guint i = 0; i < mix->rows->len; i++)
        if (!isnan(g_array_index(mix->rows, MixRow, i).of.time_s))
            return TRUE;
    return FALSE;
}

static void print_rows(FILE *to, const RequestLibrary *lib, const Mix *mix, const Sheet *rows, guint top)
{
    SheetView view[16] = {{"collective"}, {"ranks"}, {"bytes"}, {"calls"}};
    guint n = 4;
    view[n++] = (SheetView){lib->only ? "default_s" : "best_s"};
    view[n++] = (SheetView){"total_s"};
    view[n++] = (SheetView){"share"};
    if (lib->only)
        view[n++] = (SheetView){"saved_s"};
    if (any_measurement(mix))
        view[n++] = (SheetView){"measured_total_s"};
    view[n] = (SheetView){"best"};
    sheet_table(rows, view, 0, MIN(top, sheet_rows(rows)), "", to);
    if (lib->only) {
        static const SheetView of_gains[] = {{"collective"}, {"ranks"}, {"bytes"}, {"gain"}, {NULL}};
        fputc('\n', to);
        sheet_table(rows, of_gains, 0, MIN(top, sheet_rows(rows)), "", to);
    }
    if (sheet_rows(rows) > top)
        fprintf(to, ".. and %u more kinds of calls (--top)\n", sheet_rows(rows) - top);
}

static void print_collectives(FILE *to, const RequestLibrary *lib, const Mix *mix, const Sheet *sheet)
{
    SheetView view[8] = {{"collective"}, {"calls"}, {"total_s"}, {"share"}};
    guint n = 4;
    if (lib->only) {
        view[n++] = (SheetView){"saved_s"};
        view[n++] = (SheetView){"saved_share"};
    }
    if (any_measurement(mix))
        view[n] = (SheetView){"measured_total_s"};
    fputc('\n', to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

// Prints why defaults are not known, or what was simulated instead; the same reason of one collective once.
static void print_missing(FILE *to, const Mix *mix)
{
    g_autoptr(GHashTable) printed = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < mix->rows->len; i++) {
        const MixRow *row = &g_array_index(mix->rows, MixRow, i);
        if (!row->missing)
            continue;
        char *text = g_strdup_printf("%s: %s", collectives[row->of.collective].name, row->missing);
        if (!g_hash_table_contains(printed, text))
            wrap_print(to, "note: ", text);
        g_hash_table_add(printed, text);
    }
}

// Prints what the file needs to have an effect: HAN decides before rules do.
static void print_han(FILE *to, const Mix *mix)
{
    for (guint i = 0; i < mix->rows->len; i++) {
        const MixRow *row = &g_array_index(mix->rows, MixRow, i);
        if (row->decided && g_str_has_prefix(row->decided, "han")) {
            wrap_print(to, "note: ",
                       "Open MPI's component HAN decides before the rules of a file do, so run with --mca coll "
                       "^han; what then runs without a rule, --no-han says");
            return;
        }
    }
}

static void print_total(FILE *to, const RequestLibrary *lib, gboolean pair, const Profile *profile, const Mix *mix,
                        const char *command)
{
    g_autofree char *total = units_format_time(mix->sum.total_s), *best = units_format_time(mix->sum.best_s),
                    *saves = units_format_time(mix_saves(&mix->sum));
    GString *s = g_string_new(NULL);
    if (!lib->only)
        g_string_append_printf(s, "%s with the best of all algorithms", total);
    else
        g_string_append_printf(s, "%s with the defaults of %s, %s with the best settings: these save %s, %.1f %%",
                               total, lib->only->library->title, best, saves,
                               100 * mix_share(mix_saves(&mix->sum), &mix->sum));
    if (!isnan(mix->sum.measured_s)) {
        g_autofree char *measured = units_format_time(mix->sum.measured_s);
        g_string_append_printf(s, ". Measured: %s, which includes the time that ranks wait for each other", measured);
    }
    if (mix->sum.unknown)
        g_string_append_printf(s, ". Not in these sums: %u row%s whose time is not known", mix->sum.unknown,
                               mix->sum.unknown == 1 ? "" : "s");
    fputc('\n', to);
    wrap_print(to, "in all: ", s->str);
    g_string_free(s, TRUE);
    for (guint i = 0; i < profile->notes->len; i++)
        wrap_print(to, "note: ", profile->notes->pdata[i]);
    print_missing(to, mix);
    if (command && !pair) // HAN keeps what a pair leaves to it
        print_han(to, mix);
    if (command)
        fprintf(to, "\n%s\n", command);
    else if (lib->only)
        fputs("\nNo rules file saves anything here.\n", to);
}

static void print_others(FILE *to, const Profile *profile, const Sheet *others)
{
    static const SheetView measured[] = {{"call"},           {"calls"}, {"measured_total_s"},
                                         {"measured_share"}, {"note"},  {NULL}},
                           plain[] = {{"call"}, {"calls"}, {"note"}, {NULL}};
    if (!sheet_rows(others))
        return;
    gboolean timed = FALSE;
    for (guint i = 0; i < profile->others->len; i++)
        timed |= !isnan(g_array_index(profile->others, ProfileOther, i).time_s);
    fputs("\nNot predicted\n", to);
    sheet_table(others, timed ? measured : plain, 0, sheet_rows(others), "", to);
}

void app_report(const Answer *answer, const Request *r, const Profile *profile, const Mix *mix,
                const RequestOptions *options, guint top)
{
    const gboolean pair = r->library.only && tune_answer_is_pair(r);
    g_autofree char *command = tune_command(&r->library, pair, profile, mix, options);
    g_autoptr(Sheet) rows = rows_sheet(r, mix), sums = collectives_sheet(mix),
                     total = total_sheet(profile, mix, command), others = others_sheet(profile),
                     notes = notes_sheet(r, profile);
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "app", (const Sheet *const[]){rows, sums, total, others, notes}, 5);
        return;
    }
    g_autofree char *machine = report_machine_text(r);
    fprintf(answer->to, "%s (%s)%s%s%s\n", profile->name, profile->format, r->library.only ? ", " : "",
            r->library.only ? r->library.only->library->title : "", machine);
    report_remarks(answer->to, r, NULL);
    fputc('\n', answer->to);
    print_rows(answer->to, &r->library, mix, rows, top);
    if (sheet_rows(sums) > 1 && sheet_rows(sums) < sheet_rows(rows))
        print_collectives(answer->to, &r->library, mix, sums);
    print_others(answer->to, profile, others);
    print_total(answer->to, &r->library, pair, profile, mix, command);
}
