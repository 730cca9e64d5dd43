#include "answer/run/backends_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include <math.h>
#include <stdio.h>

// ---- The sheet ------------------------------------------------------------------------------------------------------

static const char *const time_columns[N_BACKENDS] = {[BACKEND_SIM] = "time_s",
                                                     [BACKEND_SMPI] = "smpi_time_s",
                                                     [BACKEND_MPI] = "mpi_time_s",
                                                     [BACKEND_SIMGRID] = "simgrid_time_s"};

static Sheet *empty_sheet(const BackendCheck *c)
{
    static const char *const columns[] = {"collective", "algorithm", "params", "ranks", "bytes", "root",
                                          "per_node",   "nodes",     "map",    "ran",   NULL};
    const Request *r = &c->request;
    Sheet *sheet = sheet_new("rows", columns);
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            sheet_add_columns(sheet, (const char *const[]){time_columns[b], NULL});
    sheet_add_columns(sheet, (const char *const[]){"closed_form_time_s", "smpi_form_time_s", "difference", "class",
                                                   "why", "simgrid_name", "simgrid_options", "simgrid_difference",
                                                   "simgrid_why", "wrong", "choice", NULL});
    report_machine(sheet, r->machine.platform, r->machine.model,
                   r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL, r->machine.sets);
    sheet_text(sheet, "collective", question_name(&r->question));
    return sheet;
}

// Returns what a table says about the difference between sim and smpi. Free with g_free.
static char *difference_text(const Comparison *x)
{
    if (!x->point->ran)
        return g_strdup(x->point->why);
    switch (x->class) {
    case CLASS_NONE:
        return g_strdup("");
    case CLASS_EQUAL:
        return g_strdup_printf("%+.1e", x->difference);
    case CLASS_UNMODELLED:
        return g_strdup(backend_class_names[x->class]);
    default:
        return g_strdup_printf("%+.1f %% %s%s", 100 * x->difference, backend_class_names[x->class],
                               isnan(x->smpi_form_s) ? "" : ", smpi by its form");
    }
}

// Fills a time; tables show - where there is none.
static void fill_time(Sheet *sheet, const char *column, double seconds)
{
    sheet_number(sheet, column, seconds);
    if (isnan(seconds))
        sheet_show(sheet, column, g_strdup("-"));
}

static void add_row(Sheet *sheet, const BackendCheck *c, const Comparison *x)
{
    const CollAlgorithm *a = x->point->algorithm, *ran = x->point->ran;
    sheet_row(sheet);
    sheet_text(sheet, "algorithm", a->name);
    sheet_take(sheet, "params", point_params(x->point, FALSE));
    sheet_count(sheet, "ranks", x->point->p);
    sheet_count(sheet, "bytes", (int64_t)x->point->m);
    sheet_count(sheet, "root", x->point->root);
    report_nodes(sheet, &c->request.machine, x->point->p, x->point->per_node);
    sheet_take(sheet, "ran", point_ran(x->point));
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            fill_time(sheet, time_columns[b], x->time_s[b]);
    fill_time(sheet, "closed_form_time_s", x->closed_form_s);
    sheet_number(sheet, "smpi_form_time_s", x->smpi_form_s);
    if (x->class != CLASS_NONE) {
        sheet_number(sheet, "difference", x->difference);
        sheet_text(sheet, "class", backend_class_names[x->class]);
    }
    sheet_show(sheet, "difference", difference_text(x));
    sheet_text(sheet, "why", x->why);
    if (x->twin) {
        g_auto(GStrv) options = simgrid_twin_options(x->twin);
        sheet_text(sheet, "simgrid_name", x->twin->name);
        sheet_take(sheet, "simgrid_options", g_strjoinv(" ", options));
        sheet_number(sheet, "simgrid_difference", x->twin_difference);
    }
    sheet_text(sheet, "simgrid_why", x->twin_why);
    sheet_text(sheet, "wrong", x->wrong);
    sheet_take(sheet, "choice",
               ran && ran != a ? g_strdup_printf("%s (ran %s)", a->name, ran->name) : g_strdup(a->name));
}

static Sheet *rows_sheet(const BackendCheck *c)
{
    Sheet *sheet = empty_sheet(c);
    for (guint i = 0; i < c->points->len; i++)
        add_row(sheet, c, &c->of[i]);
    return sheet;
}

// ---- For people -----------------------------------------------------------------------------------------------------

// Returns "GB with gather:ompi_basic_linear and bcast:flattree": SimGrid's name, and what is chosen for the collectives
// that the algorithm calls. Free with g_free.
static char *twin_text(const SimgridTwin *t)
{
    return g_strconcat(t->name, t->with[0] ? " with " : "", t->with[0] ? t->with[0] : "", t->with[1] ? " and " : "",
                       t->with[1] ? t->with[1] : "", NULL);
}

// Prints "ring is SimGrid's ring: equal" for each algorithm, or by how much the times differ at most, and why.
static void print_twins(FILE *to, const BackendCheck *c)
{
    g_autoptr(GHashTable) told = g_hash_table_new(NULL, NULL);
    g_autoptr(GString) alone = g_string_new(NULL);
    fputc('\n', to);
    for (guint i = 0; i < c->points->len; i++) {
        const CollAlgorithm *a = c->of[i].point->algorithm;
        const Comparison *worst = &c->of[i];
        if (!g_hash_table_add(told, (gpointer)(uintptr_t)a))
            continue;
        for (guint k = i; k < c->points->len; k++)
            if (c->of[k].point->algorithm == a && c->of[k].twin &&
                (!worst->twin || isnan(worst->twin_difference) ||
                 fabs(c->of[k].twin_difference) > fabs(worst->twin_difference)))
                worst = &c->of[k];
        g_autofree char *twin = worst->twin ? twin_text(worst->twin) : NULL;
        if (!twin)
            g_string_append_printf(alone, "%s%s", alone->len ? ", " : "", a->name);
        else if (isnan(worst->twin_difference))
            fprintf(to, "%s is SimGrid's %s: %s\n", a->name, twin, worst->twin_why);
        else if (fabs(worst->twin_difference) <= CHECK_EQUAL)
            fprintf(to, "%s is SimGrid's %s: equal\n", a->name, twin);
        else
            fprintf(to, "%s is SimGrid's %s: differs by up to %+.1f %%: %s\n", a->name, twin,
                    100 * worst->twin_difference, worst->twin_why ? worst->twin_why : "and must not");
    }
    if (alone->len)
        fprintf(to, "SimGrid has none, or not at these points: %s\n", alone->str);
}

static void print_table(FILE *to, const BackendCheck *c, const Sheet *rows)
{
    SheetView view[6 + N_BACKENDS] = {{"choice"}, {"ranks"}, {"bytes"}};
    const gboolean both = c->asked[BACKEND_SIM] && c->asked[BACKEND_SMPI];
    int n = 3;
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            view[n++] = (SheetView){time_columns[b], backend_names[b]};
    view[n++] = (SheetView){"closed_form_time_s"};
    view[n++] = (SheetView){"difference", both ? "sim - smpi" : ""};
    guint in_class[N_CLASSES] = {0};
    for (guint i = 0; i < c->points->len; i++)
        in_class[c->of[i].class]++;
    g_autofree char *machine = report_machine_text(&c->request),
                    *links = in_class[CLASS_LINKS] ? g_strdup_printf("%u link sharing, ", in_class[CLASS_LINKS])
                                                   : g_strdup("");
    fprintf(to, "%s%s\n\n", question_name(&c->request.question), machine);
    sheet_table(rows, view, 0, sheet_rows(rows), "", to);
    if (both)
        fprintf(to, "\nsim and smpi: %u equal to 1e-9, %s%u port sharing, %u unmodelled, %u different\n",
                in_class[CLASS_EQUAL], links, in_class[CLASS_SHARING], in_class[CLASS_UNMODELLED],
                in_class[CLASS_DIFFERENT]);
    if (c->asked[BACKEND_SIMGRID])
        print_twins(to, c);
}

void backends_report(const Answer *answer, const BackendCheck *c)
{
    g_autoptr(Sheet) rows = rows_sheet(c);
    if (answer->format == FORMAT_TABLE)
        print_table(answer->to, c, rows);
    else
        answer_sheets(answer, "check", (const Sheet *const[]){rows}, 1);
}
