#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection_judge.h"
#include "libraries/decide/ucc_string.h"
#include "base/limits.h"
#include "base/text.h"

RulesFile *rules_parse(const char *text, size_t length, const char *name, const Library *library, GError **error)
{
    if (!text_check(text, length, LIMIT_RULES_BYTES, name, error))
        return NULL;
    g_autoptr(Tables) names = tables_names(library, error);
    RulesFile *file = names ? rules_new(name, names) : NULL;
    if (!file)
        return NULL;
    if (library->family == LIBRARY_MPICH) {
        file->selection = selection_read(file, text, length);
        if (!file->ignored)
            selection_judge(file, file->selection);
    } else if (library->family == LIBRARY_UCC) {
        ucc_file_read(file, text);
    } else if (rules_han_is(text)) {
        rules_han(file, text, length);
    } else if (library->id != LIBRARY_OMPI_MAIN || !rules_json(file, text, length)) {
        rules_text(file, text, length);
    }
    if (library->family == LIBRARY_OMPI && !file->ignored && !file->han)
        rules_judge(file);
    rules_sort_traps(file);
    return file;
}

RulesFile *rules_read(const char *path, const Library *library, GError **error)
{
    size_t length;
    g_autofree char *text = text_read_as_is(path, LIMIT_RULES_BYTES, &length, error);
    return text ? rules_parse(text, length, text_name(path), library, error) : NULL;
}
