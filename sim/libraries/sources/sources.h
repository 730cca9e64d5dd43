// The papers, documents and programs that algorithms are from: what a reader needs to cite them.
#pragma once
#include "registry/registry.h"
#include <glib.h>

// The fields of decisions/sources.csv. A field that a source does not have is "".
typedef struct Source {
    const char *key;        // "bruck1997"
    const char *type;       // of its entry in BibTeX: article, inproceedings, techreport or misc
    const char *author;     // as BibTeX has it: names joined by " and "
    const char *title, *in; // in: the journal, the proceedings, the institution or the publisher
    const char *volume, *number, *pages, *year;
    const char *doi, *eprint, *url; // eprint: a number of arXiv
    const char *note;
    const char *named; // how the .source of entries begins where it names this one; texts joined by '|'
    const char *also;  // other words for it, joined by '|': "loggp", "003"
} Source;

typedef struct Sources Sources;

// Reads decisions/sources.csv. Returns NULL and an error if that cannot be read, if a key or a title is missing or a
// key is there twice, or if it has another type. Free with sources_free.
Sources *sources_read(GError **error);
void sources_free(Sources *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sources, sources_free)

// Returns the sources in the order of the file; elements are `const Source *`.
const GPtrArray *sources_all(const Sources *s);
// Returns the source with this key, or this other word for it, in any case; NULL if there is none.
const Source *sources_find(const Sources *s, const char *word);
// Adds to `found`, which holds each at most once, the sources that an entry names, in its order.
void sources_of_entry(const Sources *s, const CollAlgorithm *a, GPtrArray *found);
// Adds the source's entry in BibTeX, which ends in a newline, to `text`.
void sources_put_bibtex(const Source *source, GString *text);
