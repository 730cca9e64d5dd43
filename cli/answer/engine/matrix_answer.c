#include "answer/engine/matrix_answer.h"
#include "base/escape.h"
#include "base/units.h"
#include "out/wrap.h"
#include <string.h>

static uint64_t value_of(const MatrixAnswer *x, const MatrixSum *sum)
{
    return x->messages ? sum->messages : sum->bytes;
}

// ---- Classes --------------------------------------------------------------------------------------------------------

static int by_value(gconstpointer a, gconstpointer b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Returns the values of cells with messages, each once, ascending. Free with g_array_unref.
static GArray *values_of(const MatrixAnswer *x)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    const int n = x->matrix->n;
    for (int i = 0; i < n * n; i++) {
        const uint64_t value = value_of(x, &x->matrix->cell[i]);
        if (x->matrix->cell[i].messages)
            g_array_append_val(values, value);
    }
    g_array_sort(values, by_value);
    guint kept = 0;
    for (guint i = 0; i < values->len; i++)
        if (i == 0 || g_array_index(values, uint64_t, i) != g_array_index(values, uint64_t, kept - 1))
            g_array_index(values, uint64_t, kept++) = g_array_index(values, uint64_t, i);
    g_array_set_size(values, kept);
    return values;
}

// Returns the largest value of the class that begins with one: up to a tenth more, up to half as much more, or up to
// the double, four times ..
static uint64_t class_end(uint64_t from, int step)
{
    if (step < 2)
        return from + from / (step ? 2 : 10);
    return from >> (62 - (step - 1)) ? UINT64_MAX : from << (step - 1); // values are below 2^62
}

MatrixScale matrix_scale(const MatrixAnswer *x)
{
    g_autoptr(GArray) values = values_of(x);
    for (int step = 0;; step++) {
        MatrixScale scale = {0};
        guint i = 0;
        while (i < values->len && scale.n < MATRIX_CLASSES) {
            const uint64_t from = g_array_index(values, uint64_t, i), end = class_end(from, step);
            while (i < values->len && g_array_index(values, uint64_t, i) <= end)
                scale.to[scale.n] = g_array_index(values, uint64_t, i++);
            scale.from[scale.n++] = from;
        }
        if (i == values->len)
            return scale;
    }
}

int matrix_class(const MatrixAnswer *x, const MatrixScale *scale, const MatrixSum *cell)
{
    int i = scale->n - 1;
    while (i >= 0 && cell->messages && value_of(x, cell) < scale->from[i])
        i--;
    return cell->messages ? i : -1;
}

static char *amount_text(const MatrixAnswer *x, uint64_t value)
{
    return x->messages ? g_strdup_printf("%" G_GUINT64_FORMAT, value) : units_format_size(value);
}

char *matrix_class_text(const MatrixAnswer *x, const MatrixScale *scale, int i)
{
    g_autofree char *from = amount_text(x, scale->from[i]), *to = amount_text(x, scale->to[i]);
    return scale->from[i] == scale->to[i] ? g_strdup(from) : g_strdup_printf("%s to %s", from, to);
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

int matrix_block(const Matrix *m, int level)
{
    return m->level[level].units ? coll_nodes_block(m->level[level].units) : 0;
}

// Returns a share in percent: "0 %" and "100 %" only where that is exact. Free with g_free.
static char *percent(uint64_t part, uint64_t all)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (part == 0 || part == all)
        return g_strdup(part ? "100 %" : "0 %");
    const double share = CLAMP(100. * (double)part / (double)all, 0.1, 99.9);
    return g_strdup_printf("%s %%", g_ascii_formatd(number, sizeof number, "%.3g", share));
}

// Returns the level whose units people ask about: nodes, or else the innermost.
static int level_of_nodes(const Matrix *m)
{
    for (int i = 0; i < m->n_levels; i++)
        if (strcmp(m->level[i].name, "node") == 0)
            return i;
    return 0;
}

char *matrix_title(const MatrixAnswer *x)
{
    const Matrix *m = x->matrix;
    const uint64_t all = value_of(x, &m->all);
    g_autofree char *bytes = units_format_size(m->all.bytes), *name = escape_terminal(x->name);
    GString *title = g_string_new(name);
    g_string_append_printf(title, ": %s bytes in %" G_GUINT64_FORMAT " message%s", bytes, m->all.messages,
                           m->all.messages == 1 ? "" : "s");
    if (m->n_levels > 0 && all > 0) {
        const int node = level_of_nodes(m);
        uint64_t inside = 0;
        for (int i = 0; i <= node; i++)
            inside += value_of(x, &m->level[i].sum);
        g_autofree char *share = percent(all - inside, all);
        g_string_append_printf(title, "; %s of the %s leave their %s", share, x->messages ? "messages" : "bytes",
                               m->level[node].name);
    }
    return g_string_free(title, FALSE);
}

char *matrix_note(const MatrixAnswer *x)
{
    const Matrix *m = x->matrix;
    const uint64_t all = value_of(x, &m->all);
    GString *note = g_string_new(NULL);
    if (m->width > 1)
        g_string_append_printf(note, "A cell is %d x %d ranks.%s", m->width, m->width,
                               m->n_levels > 0 && all > 0 ? " " : "");
    for (int i = 0; i < m->n_levels && all > 0; i++) {
        g_autofree char *share = percent(value_of(x, &m->level[i].sum), all);
        g_string_append_printf(note, "%s%s %s",
                               i             ? ", "
                               : x->messages ? "Messages by level: "
                                             : "Bytes by level: ",
                               m->level[i].name, share);
    }
    return g_string_free(note, FALSE);
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static void fill_sum(Sheet *sheet, const MatrixSum *sum)
{
    sheet_count(sheet, "messages", (int64_t)sum->messages);
    sheet_count(sheet, "bytes_sent", (int64_t)sum->bytes);
}

static Sheet *cells_sheet(const Matrix *m)
{
    static const char *const columns[] = {"from_rank", "from_last_rank", "to_rank", "to_last_rank",
                                          "messages",  "bytes_sent",     NULL};
    Sheet *sheet = sheet_new("rows", columns);
    for (int i = 0; i < m->n * m->n; i++) {
        const int from = i / m->n * m->width, to = i % m->n * m->width;
        if (!m->cell[i].messages)
            continue;
        sheet_row(sheet);
        sheet_count(sheet, "from_rank", from);
        sheet_count(sheet, "from_last_rank", MIN(from + m->width, m->p) - 1);
        sheet_count(sheet, "to_rank", to);
        sheet_count(sheet, "to_last_rank", MIN(to + m->width, m->p) - 1);
        fill_sum(sheet, &m->cell[i]);
    }
    return sheet;
}

static Sheet *levels_sheet(const Matrix *m)
{
    Sheet *sheet = sheet_new("levels", (const char *const[]){"level", "messages", "bytes_sent", NULL});
    for (int i = 0; i < m->n_levels; i++) {
        sheet_row(sheet);
        sheet_text(sheet, "level", m->level[i].name);
        fill_sum(sheet, &m->level[i].sum);
    }
    return sheet;
}

static Sheet *matrix_sheet(const MatrixAnswer *x)
{
    static const char *const columns[] = {"collective", "algorithm",  "params", "ran",      "bytes",
                                          "root",       "goal",       "ranks",  "per_node", "cell_ranks",
                                          "messages",   "bytes_sent", NULL};
    Sheet *sheet = sheet_new("matrix", columns);
    sheet_row(sheet);
    if (x->point) {
        const Point *point = x->point;
        sheet_text(sheet, "collective", question_name(&x->request->question));
        sheet_text(sheet, "algorithm", point->algorithm->name);
        sheet_take(sheet, "params", point_params(point, FALSE));
        sheet_take(sheet, "ran", point_ran(point));
        sheet_count(sheet, "bytes", (int64_t)point->m);
        sheet_count(sheet, "root", point->root);
        if (point->per_node)
            sheet_count(sheet, "per_node", point->per_node);
    } else {
        sheet_text(sheet, "goal", x->name);
    }
    sheet_count(sheet, "ranks", x->matrix->p);
    sheet_count(sheet, "cell_ranks", x->matrix->width);
    fill_sum(sheet, &x->matrix->all);
    return sheet;
}

// ---- The table ------------------------------------------------------------------------------------------------------

enum { COLUMNS = 80, MOST_COLUMNS = 100 };

// How the cells are printed.
typedef struct MatrixPrint {
    const MatrixAnswer *x;
    MatrixScale scale;
    bool numbers; // cells are numbers; otherwise letters
    int left;     // width of a row's label
    int width;    // of a cell
    int block;    // the number of cells between two lines; 0 for no lines
} MatrixPrint;

static const char shades[] = ".:-=+*#@"; // one for each class, the darkest last

static int widest(const MatrixAnswer *x)
{
    int width = 1;
    for (int i = 0; i < x->matrix->n * x->matrix->n; i++) {
        g_autofree char *text = amount_text(x, value_of(x, &x->matrix->cell[i]));
        width = MAX(width, (int)strlen(text));
    }
    return width;
}

// Returns a number's length.
static int digits(int number)
{
    int n = 1;
    while (number /= 10)
        n++;
    return n;
}

static MatrixPrint print_of(const MatrixAnswer *x)
{
    enum { MOST_NUMBERS = 12 };
    const Matrix *m = x->matrix;
    MatrixPrint print = {.x = x, .scale = matrix_scale(x), .left = digits(m->p - 1) + 2};
    const int most = m->n <= MOST_NUMBERS ? MAX(widest(x), digits(m->p - 1)) + 2 : COLUMNS;
    print.numbers = print.left + 2 + most * m->n <= COLUMNS;
    print.width = print.numbers ? most : m->n <= 32 ? 2 : 1;
    for (int i = 0; i < m->n_levels && !print.block; i++) {
        const int block = matrix_block(m, i);
        const bool fits = block > m->width && block < m->p && block % m->width == 0;
        if (fits && print.left + 2 + m->n * print.width + m->p / block <= MOST_COLUMNS)
            print.block = block / m->width;
    }
    return print;
}

static void add_cell(const MatrixPrint *print, const MatrixSum *cell, GString *line)
{
    const int class = matrix_class(print->x, &print->scale, cell);
    if (print->numbers) {
        g_autofree char *text = class < 0 ? g_strdup("") : amount_text(print->x, value_of(print->x, cell));
        g_string_append_printf(line, "%*s", print->width, text);
        return;
    }
    for (int i = 0; i < print->width; i++)
        g_string_append_c(line, class < 0 ? ' ' : shades[class + (int)strlen(shades) - print->scale.n]);
}

static bool is_edge(const MatrixPrint *print, int cell)
{
    return print->block && cell > 0 && cell < print->x->matrix->n && cell % print->block == 0;
}

// Prints ranks above the columns, as many as there is room for.
static void print_head(const MatrixPrint *print, FILE *to)
{
    const Matrix *m = print->x->matrix;
    g_autoptr(GString) line = g_string_new(NULL);
    int at = print->left + 2, step = 1;
    while (step * print->width <= digits(m->p - 1))
        step *= 2;
    for (int i = 0; i < m->n; i++) {
        at += is_edge(print, i);
        g_autofree char *rank = g_strdup_printf("%d", i * m->width);
        const int begin = print->numbers ? at + print->width - (int)strlen(rank) : at;
        if (i % step == 0)
            g_string_append_printf(line, "%*s%s", begin - (int)line->len, "", rank);
        at += print->width;
    }
    fprintf(to, "%s\n", line->str);
}

static void print_cells(const MatrixPrint *print, FILE *to)
{
    const Matrix *m = print->x->matrix;
    print_head(print, to);
    for (int from = 0; from < m->n; from++) {
        g_autoptr(GString) line = g_string_new(NULL);
        if (is_edge(print, from)) {
            g_string_append_printf(line, "%*s ", print->left, "");
            for (int i = 0; i < m->n * print->width + (m->n - 1) / print->block; i++)
                g_string_append_c(line, '-');
            fprintf(to, "%*s|%s\n", print->left + 1, "", line->str + print->left + 1);
            g_string_truncate(line, 0);
        }
        g_string_append_printf(line, "%*d |", print->left, from * m->width);
        for (int i = 0; i < m->n; i++) {
            if (is_edge(print, i))
                g_string_append_c(line, '|');
            add_cell(print, &m->cell[from * m->n + i], line);
        }
        fprintf(to, "%s\n", g_strchomp(line->str));
    }
}

static void print_table(FILE *to, const MatrixAnswer *x)
{
    g_autofree char *title = matrix_title(x), *note = matrix_note(x);
    const MatrixPrint print = print_of(x);
    wrap_print(to, "", title);
    if (*note)
        wrap_print(to, "", note);
    fprintf(to, "\n%s that ranks (rows) send to ranks (columns)\n\n", x->messages ? "Messages" : "Bytes");
    print_cells(&print, to);
    if (print.numbers)
        return;
    fputc('\n', to);
    for (int i = 0; i < print.scale.n; i++) {
        g_autofree char *text = matrix_class_text(x, &print.scale, i);
        fprintf(to, "  %c  %s\n", shades[i + (int)strlen(shades) - print.scale.n], text);
    }
}

void matrix_report(const Answer *answer, const MatrixAnswer *x)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, x);
        return;
    }
    g_autoptr(Sheet) cells = cells_sheet(x->matrix), matrix = matrix_sheet(x),
                     levels = x->matrix->n_levels ? levels_sheet(x->matrix) : NULL;
    answer_sheets(answer, "matrix", (const Sheet *const[]){cells, matrix, levels}, 3);
}
