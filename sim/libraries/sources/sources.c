#include "libraries/sources/sources.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/share.h"
#include <string.h>

struct Sources {
    Csv *csv;
    GPtrArray *all;
};

// The types of entries, each with the field that has what is in the column `in`.
static const struct {
    const char *type, *in;
} types[] = {
    {"article", "journal"}, {"inproceedings", "booktitle"}, {"techreport", "institution"}, {"misc", "howpublished"}};

static const char *field_of_in(const char *type)
{
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
        if (strcmp(types[i].type, type) == 0)
            return types[i].in;
    return NULL;
}

static const char *cell(const Csv *csv, size_t row, const char *column)
{
    return csv_field(csv, row, csv_column(csv, column));
}

static gboolean add_row(Sources *s, size_t row, GError **error)
{
    const Csv *csv = s->csv;
    Source *x = g_new(Source, 1);
    *x = (Source){
        .key = cell(csv, row, "key"),
        .type = cell(csv, row, "type"),
        .author = cell(csv, row, "author"),
        .title = cell(csv, row, "title"),
        .in = cell(csv, row, "in"),
        .volume = cell(csv, row, "volume"),
        .number = cell(csv, row, "number"),
        .pages = cell(csv, row, "pages"),
        .year = cell(csv, row, "year"),
        .doi = cell(csv, row, "doi"),
        .eprint = cell(csv, row, "eprint"),
        .url = cell(csv, row, "url"),
        .note = cell(csv, row, "note"),
        .named = cell(csv, row, "named"),
        .also = cell(csv, row, "also"),
    };
    const char *fault = !*x->key                       ? "it has no key; allowed: as in bruck1997"
                        : sources_find(s, x->key)      ? "its key is there already; allowed: another key"
                        : !*x->title                   ? "it has no title; allowed: a title"
                        : field_of_in(x->type) == NULL ? "its type is not known; allowed: article, inproceedings, "
                                                         "techreport, misc"
                                                       : NULL;
    g_ptr_array_add(s->all, x);
    return !fault || bad_input(error, "%s:%zu: %s", csv_name(csv), csv_line(csv, row), fault);
}

Sources *sources_read(GError **error)
{
    g_autofree char *path = share_path(SHARE_DECISIONS, "sources.csv");
    g_autoptr(Sources) s = g_new0(Sources, 1);
    int column;
    s->all = g_ptr_array_new_with_free_func(g_free);
    if (!share_check(SHARE_DECISIONS, path, error) || !(s->csv = csv_read(path, error)) ||
        !csv_need(s->csv, "key", &column, error) || !csv_need(s->csv, "title", &column, error))
        return NULL;
    for (size_t row = 0; row < csv_rows(s->csv); row++)
        if (!add_row(s, row, error))
            return NULL;
    return g_steal_pointer(&s);
}

void sources_free(Sources *s)
{
    if (!s)
        return;
    g_ptr_array_unref(s->all);
    csv_free(s->csv);
    g_free(s);
}

const GPtrArray *sources_all(const Sources *s)
{
    return s->all;
}

const Source *sources_find(const Sources *s, const char *word)
{
    for (guint i = 0; i < s->all->len; i++) {
        const Source *x = g_ptr_array_index(s->all, i);
        g_auto(GStrv) also = g_strsplit(x->also, "|", -1);
        if (g_ascii_strcasecmp(x->key, word) == 0)
            return x;
        for (char **other = also; *other; other++)
            if (g_ascii_strcasecmp(*other, word) == 0)
                return x;
    }
    return NULL;
}

// Returns true if the text begins with these words, and the last of them ends there.
static gboolean begins(const char *text, const char *words)
{
    return *words && g_str_has_prefix(text, words) && !g_ascii_isalnum(text[strlen(words)]);
}

void sources_of_entry(const Sources *s, const CollAlgorithm *a, GPtrArray *found)
{
    g_auto(GStrv) parts = g_strsplit(a->source, "; ", -1);
    for (char **part = parts; *part; part++)
        for (guint i = 0; i < s->all->len; i++) {
            Source *x = g_ptr_array_index(s->all, i);
            g_auto(GStrv) named = g_strsplit(x->named, "|", -1);
            gboolean names = FALSE;
            for (char **words = named; *words; words++)
                names |= begins(*part, *words);
            if (names && !g_ptr_array_find(found, x, NULL))
                g_ptr_array_add(found, x);
        }
}

// Adds a field with a backslash before what TeX would take for something else. `raw` says that there is no TeX in it.
static void put_field(GString *text, const char *name, const char *value, const char *around, gboolean raw)
{
    if (!*value)
        return;
    g_string_append_printf(text, ",\n  %s = {%s", name, around);
    for (const char *c = value; *c; c++)
        g_string_append_printf(text, "%s%c", !raw && strchr("&%$#_", *c) ? "\\" : "", *c);
    g_string_append(text, *around ? "}}" : "}");
}

void sources_put_bibtex(const Source *x, GString *text)
{
    g_string_append_printf(text, "@%s{%s", x->type, x->key);
    put_field(text, "author", x->author, "", FALSE);
    put_field(text, "title", x->title, "{", FALSE); // a second brace keeps its capitals
    put_field(text, field_of_in(x->type), x->in, "", FALSE);
    put_field(text, "volume", x->volume, "", FALSE);
    put_field(text, "number", x->number, "", FALSE);
    put_field(text, "pages", x->pages, "", FALSE);
    put_field(text, "year", x->year, "", FALSE);
    put_field(text, "doi", x->doi, "", TRUE);
    put_field(text, "eprint", x->eprint, "", TRUE);
    put_field(text, "archiveprefix", *x->eprint ? "arXiv" : "", "", TRUE);
    put_field(text, "url", x->url, "", TRUE);
    put_field(text, "note", x->note, "", FALSE);
    g_string_append(text, "\n}\n");
}
