#include "engine/model/unknown.h"
#include "base/distinct.h"
#include "base/number.h"
#include <limits.h>
#include <string.h>

// Returns TRUE if the platform says what reductions cost under the model.
static gboolean knows_gamma(const Model *model, const Platform *x)
{
    const PlatformKey key = model == &measured_model && x->has[KEY_REDUCE] ? KEY_REDUCE : KEY_GAMMA;
    const gboolean set = x->source[key] && g_str_has_prefix(x->source[key], "--set ");
    return x->has[key] && (set || x->value[key] > 0 || x->table[key]);
}

// Adds "48" and the rest of a sentence; of several such numbers, the notes have the largest.
static void add_most(GPtrArray *notes, int most, const char *rest)
{
    for (guint i = 0; i < notes->len; i++) {
        const char *note = notes->pdata[i];
        const size_t digits = strspn(note, G_CSET_DIGITS);
        if (digits == 0 || strcmp(note + digits, rest) != 0)
            continue;
        g_autofree char *number = g_strndup(note, digits);
        int before = 0;
        if (number_int(number, 0, INT_MAX, &before) && before >= most)
            return;
        g_ptr_array_remove_index(notes, i--);
    }
    g_ptr_array_add(notes, g_strdup_printf("%d%s", most, rest));
}

// Notes that the ranks of a node share nothing on their way out, unless the platform says what they share.
static void note_nic(GPtrArray *notes, const Model *model, const Platform *x, int most)
{
    const gboolean any = x->has[KEY_NIC_RATE] || x->has[KEY_NIC_MESSAGES];
    g_autofree char *foreign =
        g_strdup_printf(" ranks a node: each sends at full speed, because model %s knows no NIC", model->name);
    if (!model_replays(model) && !any) // figures that it has are said to be ignored
        add_most(notes, most, foreign);
    else if (model_replays(model) && !x->has[KEY_NIC_RATE])
        add_most(notes, most,
                 any ? " ranks a node and no nic.rate: each sends at full speed; set nic.rate"
                     : " ranks a node and no NIC: each sends at full speed; set nic.rate");
}

static void add_name(GString *names, PlatformKey key)
{
    g_string_append_printf(names, "%s%s", names->len ? ", " : "", platform_keys[key].name);
}

// Notes which costs of shared memory the platform leaves out, and which of its figures are guesses.
static void note_shared(GPtrArray *notes, const Model *model, const Platform *x)
{
    static const PlatformKey lines[] = {KEY_LINE, KEY_RAISE, KEY_LOCAL};
    g_autoptr(GString) left_out = g_string_new(NULL), guessed = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        if (!x->has[lines[i]] && !x->by_level[lines[i]])
            add_name(left_out, lines[i]);
    for (size_t i = 0; i < model->n_keys; i++) {
        const char *source = x->source[model->keys[i]];
        if (source && (g_str_has_prefix(source, "invented") || g_str_has_prefix(source, "assumed")))
            add_name(guessed, model->keys[i]);
    }
    if (left_out->len)
        distinct_take(notes,
                      g_strdup_printf(
                          "not known: %s; cache lines from other cores or copies within a rank cost nothing "
                          "here, and small messages are too fast; calibrate --run --model shared measures them, and a "
                          "Xeon E5-2660 v4 has line=42ns",
                          left_out->str));
    if (guessed->len)
        distinct_take(notes, g_strdup_printf("guesses, by their sources: %s", guessed->str));
}

void unknown_note(GPtrArray *notes, const Model *model, const Platform *platform, gboolean reduces, int most)
{
    if (reduces && !knows_gamma(model, platform))
        distinct_take(notes, g_strdup("gamma is not known: reductions cost nothing here; set gamma"));
    if (model->shared)
        note_shared(notes, model, platform);
    else if (most > 1)
        note_nic(notes, model, platform, most);
}
