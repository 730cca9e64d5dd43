#include "ask/ask_hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "engine/plugin/plugin.h"
#include <string.h>

void ask_hash_text(GChecksum *sum, const char *what, const char *text)
{
    g_checksum_update(sum, (const guchar *)what, (gssize)strlen(what) + 1);
    if (text)
        g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text));
    g_checksum_update(sum, (const guchar *)"", 1);
}

static void hash_number(GChecksum *sum, const char *what, guint64 number)
{
    char text[32];
    g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, number);
    ask_hash_text(sum, what, text);
}

// Adds a text, and what is in the file if it is the name of one.
static void hash_file(GChecksum *sum, const char *what, const char *name)
{
    size_t length = 0;
    const gboolean file = name && g_file_test(name, G_FILE_TEST_IS_REGULAR);
    g_autofree char *content = file ? text_read(name, LIMIT_TABLE_BYTES, &length, NULL) : NULL;
    ask_hash_text(sum, what, name);
    if (content)
        g_checksum_update(sum, (const guchar *)content, (gssize)length);
}

gboolean ask_hash_plugins(GChecksum *sum, GError **error)
{
    for (guint i = 0; i < plugin_all()->len; i++) {
        g_autofree char *code = plugin_checksum(g_ptr_array_index(plugin_all(), i), error);
        if (!code)
            return FALSE;
        ask_hash_text(sum, "plugin", code);
    }
    return TRUE;
}

static void hash_sizes(GChecksum *sum, const char *what, const GArray *sizes)
{
    for (guint i = 0; i < sizes->len; i++)
        hash_number(sum, what, g_array_index(sizes, size_t, i));
}

static void hash_choice(GChecksum *sum, const SweepChoice *x)
{
    ask_hash_text(sum, "choice", x->name ? x->name : x->algorithm->name);
    for (int i = 0; !x->search && i < algorithm_n_params(x->algorithm); i++)
        hash_number(sum, x->algorithm->params[i].name, (guint64)param_get(&x->algorithm->params[i], &x->asked));
}

// Adds the network that messages pay for.
static void hash_network(GChecksum *sum, const SweepSpec *spec, const RequestMachine *machine)
{
    g_autofree char *network = request_network_text(machine);
    if (!network)
        return;
    const Topology *t = &machine->options.network->topology;
    ask_hash_text(sum, "network", network);
    hash_file(sum, "nodes", spec->text[SWEEP_NODES]);
    hash_file(sum, "hosts", t->links->hosts);
    g_checksum_update(sum, (const guchar *)&t->links->hop_s, sizeof t->links->hop_s);
    for (int i = 0; i < topology_classes(t); i++)
        g_checksum_update(sum, (const guchar *)&t->links->per_byte_s[i], sizeof t->links->per_byte_s[i]);
}

void ask_hash_block(GChecksum *sum, const SweepSpec *spec, const Request *r, const GArray *choices, const GArray *roots)
{
    g_autofree char *platform = platform_text(r->machine.platform, NULL, NULL),
                    *sets = r->machine.sets ? g_strjoinv(";", r->machine.sets) : NULL;
    ask_hash_text(sum, "collective", collectives[r->question.collective].name);
    ask_hash_text(sum, "platform", r->machine.platform->name);
    ask_hash_text(sum, "figures", platform);
    ask_hash_text(sum, "sets", sets);
    ask_hash_text(sum, "model", r->machine.model->name);
    hash_number(sum, "transfer", r->machine.options.transfer);
    hash_number(sum, "element", r->question.elem);
    hash_file(sum, "counts", spec->text[SWEEP_COUNTS]);
    hash_file(sum, "displs", spec->text[SWEEP_DISPLS]);
    hash_file(sum, "map", spec->text[SWEEP_MAP]);
    hash_network(sum, spec, &r->machine);
    hash_sizes(sum, "p", r->question.ranks);
    for (guint i = 0; i < r->question.ranks->len; i++)
        hash_number(sum, "per-node", (guint64)request_per_node(r, i));
    hash_sizes(sum, "m", r->question.sizes);
    for (guint i = 0; i < roots->len; i++)
        hash_number(sum, "root", (guint64)(gint64)g_array_index(roots, int, i));
    for (guint i = 0; i < choices->len; i++)
        hash_choice(sum, &g_array_index(choices, SweepChoice, i));
}
