#include "measurements/logs/log_lines.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include <string.h>

// Returns the length of a time in front of a line, as containers and the program ts write it; 0 if there is none.
static size_t stamp_of(const char *line)
{
    static const char *const forms[] = {"dddd-dd-ddTdd:dd:dd", "dddd-dd-dd dd:dd:dd", "[dddd-dd-dd dd:dd:dd",
                                        "aaa dd dd:dd:dd"}; // d for a digit, a for a letter
    for (size_t k = 0; k < G_N_ELEMENTS(forms); k++) {
        size_t i = 0;
        for (char c; (c = forms[k][i]); i++)
            if (c == 'd' ? !g_ascii_isdigit(line[i]) : c == 'a' ? !g_ascii_isalpha(line[i]) : line[i] != c)
                break;
        if (!forms[k][i] && line[i += strcspn(line + i, " \t")])
            return i + 1;
    }
    return 0;
}

// Returns the length of what a launcher puts in front of each line that a rank prints: "[1,0]<stdout>:",
// "[prterun-n1-7@1,0]<stdout>: " and "Fri Mar 01 10:00:00 2024[1,0]<stdout>:" of Open MPI, "[0] " of MPICH, "0: " of Slurm.
static size_t prefix_of(const char *line)
{
    static const char stream[] = "<stdout>:";
    const char *const named = strstr(line, stream);
    if (named)
        return (size_t)(named - line) + strlen(stream) + (named[strlen(stream)] == ' ');
    const size_t blanks = strspn(line, " "), digits = strspn(line + blanks, "0123456789");
    const char *const close = *line == '[' ? line + strcspn(line, "]") : "";
    if (*close == ']' && close > line + 1 && close == line + 1 + strspn(line + 1, "0123456789") && close[1] == ' ')
        return (size_t)(close + 2 - line);
    return digits && g_str_has_prefix(line + blanks + digits, ": ") ? blanks + digits + 2 : 0;
}

// Takes what sets colours, "\e[1m", out of a line.
static void uncolour(char *line)
{
    char *to = line;
    for (const char *c = line; *c; c++)
        if (c[0] == '\033' && c[1] == '[')
            for (c++; c[1] && !g_ascii_isalpha(*c); c++)
                ;
        else
            *to++ = *c;
    *to = '\0';
}

// Returns a line, which it changes, without blanks at its end, without colours, and without what was put in front of it: a
// time, and by a launcher which rank printed it.
static char *bare(char *line)
{
    if (strchr(line, '\033'))
        uncolour(line);
    line += stamp_of(line);
    return g_strchomp(line + prefix_of(line));
}

gboolean log_next(LogLines *at)
{
    if (!at->rest || at->full)
        return FALSE;
    const char *const end = strchr(at->rest, '\n');
    g_string_truncate(at->room, 0);
    g_string_append_len(at->room, at->rest, end ? end - at->rest : -1);
    at->text = bare(at->room->str);
    at->unended = !end;
    g_string_assign(at->cut, at->text);
    at->rest = end ? end + 1 : NULL;
    at->line++;
    at->n_words = 0;
    for (char *c = at->cut->str; at->n_words < LOG_MAX_WORDS;) {
        while (g_ascii_isspace(*c))
            *c++ = '\0';
        if (!*c)
            break;
        at->words[at->n_words++] = c;
        while (*c && !g_ascii_isspace(*c))
            c++;
    }
    log_launch(at);
    for (const LogFormat *f = at->formats; at->format && f->name; f++)
        at->other |= f != at->format && f->is(at->text);
    return !at->other;
}

gboolean log_bad(const LogLines *at, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(error, "%s:%u: %s", at->log->name, at->line, text);
}

enum { SHOWN = 8 }; // faults that are named

void log_fault(LogLines *at, GError *fault)
{
    at->faults++;
    if (at->faults <= SHOWN) // without the name of the log, with which notes begin
        log_pass(at->log, "line %s", fault->message + strlen(at->log->name) + 1);
    if (at->first)
        g_error_free(fault);
    else
        at->first = fault;
}

void log_other(LogLines *at)
{
    if (!at->others)
        at->others = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(at->others, at->line);
}

void log_each_line(LogLines *at, LogLine *read, gpointer block)
{
    do {
        GError *fault = NULL;
        if (!read(at, block, &fault))
            log_fault(at, fault);
    } while (log_next(at));
}

gboolean log_row(LogLines *at, gboolean headed, LogLine *read, gpointer block, GError **error)
{
    if (!at->n_words || !g_ascii_isdigit(*at->words[0])) {
        log_other(at);
        return TRUE;
    }
    return headed ? read(at, block, error) : log_bad(at, error, "a row before the header of its columns");
}

static gboolean bad_word(const LogLines *at, guint i, const char *what, const char *allowed, GError **error)
{
    g_autofree char *shown = error_quote(at->words[i]);
    return log_bad(at, error, "%s is %s; allowed: %s", what, shown, allowed);
}

gboolean log_size(const LogLines *at, guint i, const char *what, size_t most, size_t *value, GError **error)
{
    if (number_size(at->words[i], 0, most, value))
        return TRUE;
    g_autofree char *allowed = number_range(0, most);
    return bad_word(at, i, what, allowed, error);
}

gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error)
{
    return number_real(at->words[i], value) || bad_word(at, i, what, "a number, 0 or above", error);
}

// One reason not to read rows, and how many rows it was.
typedef struct LogCount {
    const char *what;
    guint n;
} LogCount;

void log_count(LogLines *at, const char *what)
{
    if (!at->counts)
        at->counts = g_array_new(FALSE, FALSE, sizeof(LogCount));
    for (guint i = 0; i < at->counts->len; i++) {
        LogCount *const count = &g_array_index(at->counts, LogCount, i);
        if (strcmp(count->what, what) == 0) {
            count->n++;
            return;
        }
    }
    const LogCount count = {g_string_chunk_insert_const(at->log->texts, what), 1};
    g_array_append_val(at->counts, count);
}

const char log_not_in_table[] = ", not in a table";

void log_end(LogLines *at)
{
    for (guint i = 0; at->counts && i < at->counts->len; i++) {
        const LogCount *const count = &g_array_index(at->counts, LogCount, i);
        log_pass(at->log, "%u row%s %s", count->n, count->n == 1 ? "" : "s", count->what);
    }
    g_autofree char *text = at->others ? log_lines_text(at->others) : NULL;
    if (text)
        log_pass(at->log, "%s%s", text, log_not_in_table);
    if (at->faults > SHOWN)
        log_pass(at->log, "%u more lines like these", at->faults - SHOWN);
    g_clear_pointer(&at->counts, g_array_unref);
    g_clear_pointer(&at->others, g_array_unref);
    g_string_free(at->room, TRUE);
    g_string_free(at->cut, TRUE);
}

gboolean log_full(const LogLines *at, GError **error)
{
    return log_bad(at, error, "the file has too many rows; allowed: at most %d", LIMIT_LOG_ROWS);
}
