#include "answer/search/whatif.h"
#include "answer/search/best.h"
#include "answer/report/report.h"
#include "base/error.h"
#include "base/units.h"
#include "out/wrap.h"
#include "search/search/ranking.h"
#include <string.h>

static const WhatIf *machine_at(const GArray *machines, guint i)
{
    return &g_array_index(machines, WhatIf, i);
}

static const Point *point_of(const GArray *machines, guint i, guint k)
{
    return g_ptr_array_index(machine_at(machines, i)->points, k);
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Prints lines of cells (char **, all of the same number): the first column to the left, the others to the right.
static void print_lines(FILE *to, const GPtrArray *lines)
{
    const guint n = g_strv_length(lines->pdata[0]);
    g_autofree int *width = g_new0(int, n);
    for (guint i = 0; i < lines->len; i++)
        for (guint k = 0; k < n; k++)
            width[k] = MAX(width[k], (int)g_utf8_strlen(((char **)lines->pdata[i])[k], -1));
    for (guint i = 0; i < lines->len; i++) {
        g_autoptr(GString) line = g_string_new(NULL);
        for (guint k = 0; k < n; k++) {
            const char *cell = ((char **)lines->pdata[i])[k];
            const int pad = width[k] - (int)g_utf8_strlen(cell, -1);
            g_string_append_printf(line, "%s%*s%s%*s", k ? "  " : "", k ? pad : 0, "", cell, k ? 0 : pad, "");
        }
        fprintf(to, "%s\n", g_strchomp(line->str));
    }
}

// Begins a line with room for `n` cells, and fills the first one. Cells that nobody fills stay empty.
static char **line_new(GPtrArray *lines, guint n, char *first)
{
    char **line = g_new0(char *, n + 1);
    line[0] = first;
    for (guint k = 1; k < n; k++)
        line[k] = g_strdup("");
    g_ptr_array_add(lines, line);
    return line;
}

static void take(char **cell, char *text)
{
    g_free(*cell);
    *cell = text;
}

// Says which machine has which letter.
static void print_machines(FILE *to, const GArray *machines)
{
    fprintf(to, "%s\n", question_name(&machine_at(machines, 0)->request->question));
    for (guint i = 0; i < machines->len; i++) {
        g_autofree char *text = report_machine_text(machine_at(machines, i)->request);
        fprintf(to, "  %c%s\n", 'A' + i, text);
    }
    g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < machines->len; i++) {
        g_autoptr(GPtrArray) remarks = request_remarks(machine_at(machines, i)->request);
        for (guint k = 0; k < remarks->len; k++)
            if (g_hash_table_add(said, g_strdup(remarks->pdata[k])))
                wrap_print(to, "note: ", remarks->pdata[k]);
    }
    fputc('\n', to);
}

// Returns the least time of the points first .. end - 1 on a machine; 0 if none has a time.
static double fastest(const GArray *machines, guint i, guint first, guint end)
{
    double least = 0;
    for (guint k = first; k < end; k++) {
        const Point *x = point_of(machines, i, k);
        if (point_timed(x) && !x->why && (least == 0 || x->time_s < least))
            least = x->time_s;
    }
    return least;
}

// Adds the line of point k: its time on each machine, with a * where it is the fastest, and its ratios to the first.
static void add_point(GPtrArray *lines, const GArray *machines, guint k, const double *least)
{
    const Point *first = point_of(machines, 0, k);
    char **line = line_new(lines, 2 * machines->len, point_choice(first));
    for (guint i = 0; i < machines->len; i++) {
        const Point *x = point_of(machines, i, k);
        if (!point_timed(x) || x->why)
            continue;
        g_autofree char *time = units_format_time(x->time_s);
        take(&line[1 + i], g_strdup_printf("%s%s", time, x->time_s == least[i] ? "*" : " "));
        if (i > 0 && point_timed(first))
            take(&line[machines->len + i], sheet_ratio(x->time_s, first->time_s));
    }
}

// Prints which algorithms of a place the first machine does not rank, and why.
static void print_unranked(FILE *to, const GArray *machines, const Ranking *ranking)
{
    for (guint k = ranking->first; k < ranking->end; k++) {
        const Point *x = point_of(machines, 0, k);
        g_autofree char *ran = point_ran(x);
        if (x->why)
            fprintf(to, "not ranked: %s, %s: %s\n", x->algorithm->name, ran ? "ran" : "cannot run", ran ? ran : x->why);
    }
}

static void print_place(FILE *to, const GArray *machines, const Ranking *ranking)
{
    const guint n = machines->len;
    const Point *any = point_of(machines, 0, ranking->first);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    char **head = line_new(lines, 2 * n, g_strdup("algorithm"));
    g_autofree double *least = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        take(&head[1 + i], g_strdup_printf("%c ", 'A' + i));
        if (i > 0)
            take(&head[n + i], g_strdup_printf("%c/A", 'A' + i));
        least[i] = fastest(machines, i, ranking->first, ranking->end);
    }
    for (guint i = 0; i < ranking->ranked->len; i++) // in the order of the first machine
        for (guint k = ranking->first; k < ranking->end; k++)
            if (point_of(machines, 0, k) == ranking->ranked->pdata[i])
                add_point(lines, machines, k, least);
    report_place(to, machine_at(machines, 0)->request, any->p, any->per_node, any->m, any->root);
    if (lines->len > 1)
        print_lines(to, lines);
    print_unranked(to, machines, ranking);
    fputc('\n', to);
}

// Prints the fastest of a place on each machine, whose points begin at at[i].
static void print_best(FILE *to, const GArray *machines, guint place, const guint *at)
{
    const Point *first = point_of(machines, 0, at[0]);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    char **head = line_new(lines, 3, g_strdup("fastest"));
    take(&head[1], g_strdup("time"));
    take(&head[2], g_strdup("/A"));
    for (guint i = 0; i < machines->len; i++) {
        const Point *x = point_of(machines, i, at[i]);
        g_autofree char *choice = point_choice(x);
        char **line = line_new(lines, 3, g_strdup_printf("%c  %s", 'A' + i, choice));
        take(&line[1], units_format_time(x->time_s));
        if (i > 0)
            take(&line[2], sheet_ratio(x->time_s, first->time_s));
    }
    report_place(to, machine_at(machines, 0)->request, first->p, first->per_node, first->m, first->root);
    print_lines(to, lines);
    for (guint i = 0; i < machines->len; i++) {
        const WhatIf *x = machine_at(machines, i);
        const char name[] = {(char)('A' + i), ' ', ' ', '\0'};
        best_print_within(to, name, x->request, x->contests->pdata[place]);
    }
    fputc('\n', to);
}

// Prints what was searched on each machine.
static void print_searched(FILE *to, const GArray *machines)
{
    for (guint i = 0; i < machines->len; i++) {
        g_autofree char *head = g_strdup_printf("%c  searched ", 'A' + i),
                        *searched = contest_searched(machine_at(machines, i)->contests);
        wrap_print(to, head, searched);
    }
}

// ---- Answers --------------------------------------------------------------------------------------------------------

gboolean whatif_check(const Answer *answer, guint machines, GError **error)
{
    return answer->format != FORMAT_TABLE || machines <= WHATIF_MOST ||
           bad_input(error, "--platform and --set make %u machines; allowed in a table: %d, and any number with -f csv",
                     machines, WHATIF_MOST);
}

static void write_sheets(const Answer *answer, const char *command, const GArray *machines)
{
    g_autofree const Sheet **sheets = g_new(const Sheet *, machines->len);
    for (guint i = 0; i < machines->len; i++)
        sheets[i] = machine_at(machines, i)->rows;
    g_autoptr(Sheet) all = sheet_join(sheets, machines->len);
    answer_sheets(answer, command, (const Sheet *const[]){all}, 1);
}

void whatif_run(const Answer *answer, const GArray *machines)
{
    if (answer->format != FORMAT_TABLE) {
        write_sheets(answer, "run", machines);
        return;
    }
    const GPtrArray *points = machine_at(machines, 0)->points;
    print_machines(answer->to, machines);
    gboolean ranked = FALSE;
    for (guint first = 0; first < points->len; first = ranking_end(points, first)) {
        Ranking *ranking = ranking_make(points, first);
        print_place(answer->to, machines, ranking);
        ranked |= ranking->ranked->len > 0;
        ranking_free(ranking);
    }
    if (ranked)
        fputs("* is the fastest on its machine.\n", answer->to);
}

void whatif_best(const Answer *answer, const GArray *machines)
{
    if (answer->format != FORMAT_TABLE) {
        write_sheets(answer, "best", machines);
        return;
    }
    g_autofree guint *at = g_new0(guint, machines->len);
    print_machines(answer->to, machines);
    for (guint place = 0; at[0] < machine_at(machines, 0)->points->len; place++) {
        print_best(answer->to, machines, place, at);
        for (guint i = 0; i < machines->len; i++)
            at[i] = ranking_end(machine_at(machines, i)->points, at[i]);
    }
    print_searched(answer->to, machines);
}
