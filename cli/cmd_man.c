// `collsim man PAGE`, which `make install` calls: prints a page of the manual as roff, made of the tables that --help
// is made of. The page `collsim` is about the program, and collsim-COMMAND or collsim-COMMAND-KIND about a command.
// Without PAGE it prints the names of all pages.
#include "base/error.h"
#include "base/nearest.h"
#include "base/share.h"
#include "base/version.h"
#include "cli.h"
#include <stdio.h>
#include <string.h>

// A page: a command, perhaps one of its kinds; the program's own page has neither.
typedef struct ManPage {
    const Command *command;
    char *kind, *about; // `kind` is NULL without one
    char *name, *words; // "collsim-rules-check" and "collsim rules check"
} ManPage;

static void page_free(gpointer data)
{
    ManPage *page = data;
    g_free(page->kind);
    g_free(page->about);
    g_free(page->name);
    g_free(page->words);
    g_free(page);
}

static void add_page(GPtrArray *pages, const Command *command, const char *kind, const char *about)
{
    ManPage *page = g_new0(ManPage, 1);
    page->command = command;
    page->kind = g_strdup(kind);
    page->about = g_strdup(about);
    page->words = g_strjoin(" ", "collsim", command ? command->name : NULL, kind, NULL);
    page->name = g_strdelimit(g_strdup(page->words), " ", '-');
    g_ptr_array_add(pages, page);
}

static GPtrArray *all_pages(void)
{
    GPtrArray *pages = g_ptr_array_new_with_free_func(page_free);
    add_page(pages, NULL, NULL, "predict how long collective operations of MPI take");
    for (const Command *c = commands; c->name; c++) {
        add_page(pages, c, NULL, c->summary);
        g_autoptr(Description) d = commands_describe(c, NULL);
        for (guint i = 0; i < d->kinds->len; i++) {
            const DescribedKind *kind = &g_array_index(d->kinds, DescribedKind, i);
            add_page(pages, c, kind->name, kind->about);
        }
    }
    return pages;
}

// ---- Roff -----------------------------------------------------------------------------------------------------------

// Adds a text. What stands between backquotes is bold.
static void put(GString *s, const char *text)
{
    static const struct {
        char c;
        const char *roff;
    } special[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"}};
    gboolean bold = FALSE;
    g_auto(GStrv) parts = g_strsplit(text, "\u2026", -1); // the ellipsis of a usage
    g_autofree char *plain = g_strjoinv("...", parts);
    text = plain;
    if (*text == '.')
        g_string_append(s, "\\&");
    for (; *text; text++) {
        const char *roff = NULL;
        for (size_t i = 0; i < G_N_ELEMENTS(special); i++)
            if (special[i].c == *text)
                roff = special[i].roff;
        if (*text == '`' && (bold || strchr(text + 1, '`'))) {
            bold = !bold;
            roff = bold ? "\\fB" : "\\fR";
        }
        if (roff)
            g_string_append(s, roff);
        else
            g_string_append_c(s, *text);
    }
    if (bold) // it goes on in the next line of the text
        g_string_append(s, "\\fR");
}

static void put_line(GString *s, const char *text)
{
    put(s, text);
    g_string_append_c(s, '\n');
}

static void put_item(GString *s, const char *term, const char *text)
{
    g_string_append(s, ".TP\n\\fB");
    put(s, term);
    g_string_append(s, "\\fR\n");
    put_line(s, text);
}

static void put_section(GString *s, const char *title)
{
    g_string_append_printf(s, ".SH %s\n", title);
}

static gboolean is_indented(const char *line)
{
    return g_str_has_prefix(line, "  ");
}

// Returns the width of the first column of a row such as "  exact   equal to the true cost"; 0 if the line is not a row.
static size_t column_of(const char *line)
{
    const char *gap = is_indented(line) && line[2] != ' ' ? strstr(line + 2, "  ") : NULL;
    return gap ? (size_t)(gap + strspn(gap, " ") - line) : 0;
}

// Returns TRUE if the indented lines from line i on fit a page of 80 columns below a paragraph.
static gboolean fits(const GPtrArray *lines, guint i)
{
    enum { MOST = 80 - 7 }; // a paragraph is indented by 7 columns, these by 2 more, which the lines have
    for (; i < lines->len && is_indented(lines->pdata[i]); i++)
        if (strlen(lines->pdata[i]) > MOST)
            return FALSE;
    return TRUE;
}

// Adds lines that are indented, from line i on: command lines as they are, rows of two columns as a list. Returns the
// number of the line that follows them.
static guint put_indented(GString *s, const GPtrArray *lines, guint i)
{
    const size_t column = g_str_has_prefix(lines->pdata[i], "  collsim ") ? 0 : column_of(lines->pdata[i]);
    if (column == 0)
        g_string_append_printf(s, ".PP\n.nf\n.in %s\n", fits(lines, i) ? "+2n" : "2n");
    for (; i < lines->len && is_indented(lines->pdata[i]); i++) {
        const char *line = lines->pdata[i];
        if (column > 0 && column_of(line) == column) {
            g_autofree char *term = g_strchomp(g_strndup(line + 2, column - 2));
            put_item(s, term, line + column);
        } else
            put_line(s, column > 0 ? line + strspn(line, " ") : line + 2);
    }
    if (column == 0)
        g_string_append(s, ".in\n.fi\n");
    return i;
}

// Adds the text of --help: paragraphs, and indented parts.
static void put_text(GString *s, const GPtrArray *lines)
{
    gboolean begins = FALSE; // TRUE where a paragraph begins, apart from the first one
    for (guint i = 0; i < lines->len;) {
        const char *line = lines->pdata[i];
        if (is_indented(line)) {
            i = put_indented(s, lines, i);
            begins = TRUE;
            continue;
        }
        if (*line && begins)
            g_string_append(s, ".PP\n");
        begins = !*line;
        if (*line)
            put_line(s, line);
        i++;
    }
}

static void put_options(GString *s, const Description *d)
{
    if (d->options->len > 0)
        put_section(s, "OPTIONS");
    for (guint i = 0; i < d->options->len; i++) {
        const DescribedOption *option = &g_array_index(d->options, DescribedOption, i);
        g_autoptr(GString) term = g_string_new(NULL);
        if (option->letter)
            g_string_append_printf(term, "-%c, ", option->letter);
        g_string_append_printf(term, "--%s", option->name);
        g_string_append(s, ".TP\n\\fB");
        put(s, term->str);
        g_string_append_printf(s, "\\fR%s\\fI", *option->value ? "=" : "");
        put(s, option->value);
        g_string_append(s, "\\fR\n");
        g_autofree char *more = g_strconcat(option->about, option->repeated ? "; may be repeated" : "", NULL);
        put_line(s, more);
    }
}

// ---- Pages ----------------------------------------------------------------------------------------------------------

static void put_head(GString *s, const ManPage *page)
{
    g_autofree char *title = g_ascii_strup(page->name, -1);
    g_string_append_printf(s, ".TH %s 1 \"\" \"collsim %s\" \"collsim\"\n.nh\n.ad l\n", title, COLLSIM_VERSION);
    put_section(s, "NAME");
    put(s, page->name);
    g_string_append(s, " \\- ");
    put_line(s, page->about);
    put_section(s, "SYNOPSIS");
}

static void put_references(GString *s, const GPtrArray *pages, const ManPage *page)
{
    put_section(s, "SEE ALSO");
    for (guint i = 0; i < pages->len; i++) {
        const ManPage *other = pages->pdata[i];
        const gboolean near = !page->command ? !other->kind : !other->command || other->command == page->command;
        if (other == page || !near)
            continue;
        g_string_append(s, "\\fB");
        put(s, other->name);
        g_string_append(s, "\\fR(1),\n");
    }
    g_string_append(s, "\\fBcollsim\\-formats\\fR(5)\n");
}

static void put_command(GString *s, const ManPage *page)
{
    g_autoptr(Description) d = commands_describe(page->command, page->kind);
    for (char **usage = d->usages; *usage; usage++) {
        g_string_append_printf(s, "%s\\fB", usage == d->usages ? "" : ".br\n");
        put(s, page->words);
        g_string_append_printf(s, "\\fR %s", d->options->len > 0 ? "[\\fIOPTION\\fR...] " : "");
        put_line(s, *usage);
    }
    put_section(s, "DESCRIPTION");
    put_text(s, d->text);
    if (d->kinds->len > 0)
        put_section(s, "KINDS");
    for (guint i = 0; i < d->kinds->len; i++) {
        const DescribedKind *kind = &g_array_index(d->kinds, DescribedKind, i);
        put_item(s, kind->name, kind->about);
    }
    put_options(s, d);
}

// What the environment can set, apart from the folders of base/share.h.
static const struct {
    const char *name, *meaning;
} variables[] = {
    {"COLLSIM_SHARE", "The folder of the files that collsim comes with, instead of the one that was installed."},
    {"COLLSIM_BACKENDS", "The folder of collsim-mpi, collsim-mpich, collsim-smpi and collsim-explore."},
    {"COLLSIM_HEADERS", "The folder of coll.h, which an algorithm in a file of its own is compiled against."},
    {"CC", "The compiler of such a file; the default is gcc, cc or clang."},
    {"COLLSIM_GNUPLOT_LIMIT", "How long gnuplot may take for a picture, such as 90s; the default is 60s."},
    {"SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_STEP",
     "With the other variables of a Slurm array, they say which part `collsim sweep --shard auto` does."},
    {"DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION",
     "Whether `collsim explore` opens a browser, and how to reach it over ssh."},
    {"MPI_LOCALNRANKS", "Hydra, the launcher of MPICH, says by it how many ranks a node has, for `collsim measure`."},
    {"TERM, NO_COLOR", "Tables on a terminal have no colours if TERM is dumb, or if NO_COLOR is not empty."},
};

static void put_program(GString *s)
{
    g_string_append(s, "\\fBcollsim\\fR \\fICOMMAND\\fR ...\n.br\n\\fBcollsim help\\fR [\\fICOMMAND\\fR]\n"
                       ".br\n\\fBcollsim \\-\\-version\\fR\n");
    put_section(s, "DESCRIPTION");
    put_line(s,
             "Predicts how long collective algorithms take on a machine that you do not need to have: simulates every "
             "message, and gives the time as an exact formula.");
    put_section(s, "COMMANDS");
    for (const Command *c = commands; c->name; c++)
        put_item(s, c->name, c->summary);
    put_section(s, "EXIT STATUS");
    put_item(s, "0", "All went well.");
    put_item(s, "1", "A check failed, or a run does not end.");
    put_item(s, "2", "The input was wrong. A line on standard error says what, where, and what is allowed.");
    put_section(s, "ENVIRONMENT");
    for (size_t i = 0; i < G_N_ELEMENTS(variables); i++)
        put_item(s, variables[i].name, variables[i].meaning);
    for (int i = 0; i < N_SHARE_PARTS; i++) {
        g_autofree char *meaning =
            g_strdup_printf("A folder to read instead of %s of COLLSIM_SHARE.", share_parts[i].folder);
        put_item(s, share_parts[i].variable, meaning);
    }
    put_section(s, "FILES");
    put_line(s,
             "An installed program reads these beside it, in share/collsim of the folder whose bin has the program:");
    for (int i = 0; i < N_SHARE_PARTS; i++)
        put_item(s, share_parts[i].folder, share_parts[i].holds);
}

int cmd_man(int argc, char **argv, GError **error)
{
    g_autoptr(GPtrArray) pages = all_pages(), names = g_ptr_array_new();
    g_autoptr(GString) s = g_string_new(NULL);
    int i;
    for (guint k = 0; k < pages->len; k++)
        g_ptr_array_add(names, ((const ManPage *)pages->pdata[k])->name);
    g_ptr_array_add(names, NULL);
    if (argc < 2) {
        for (char **name = (char **)names->pdata; *name; name++)
            puts(*name);
        return 0;
    }
    if (argc > 2)
        return bad_input(error, "man prints one page; allowed: collsim man PAGE"), 2;
    g_autofree char *of_command = g_strdup_printf("collsim-%s", argv[1]); // `collsim man run` is collsim-run(1)
    const char *const asked = g_strv_contains((const char *const *)names->pdata, of_command) ? of_command : argv[1];
    if (!nearest_find("page", asked, (const char *const *)names->pdata, &i, error))
        return 2;
    const ManPage *page = pages->pdata[i];
    put_head(s, page);
    if (page->command)
        put_command(s, page);
    else
        put_program(s);
    put_references(s, pages, page);
    fputs(s->str, stdout);
    return 0;
}
