// `collsim export smpi-platform`: writes a platform for SimGrid as two files, and prints the command line that runs a
// program on it.
#include "out/note.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/output.h"
#include "export/export.h"
#include "run/launch/simgrid.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help_text[] = "Writes a platform for SimGrid's SMPI, on which a message between neighbours\n"
                                "takes exactly alpha + bytes * beta. Writes the XML and the hostfile, NAME.xml\n"
                                "and NAME.hosts, and prints the command line that runs an MPI program on it.\n"
                                "\n"
                                "  collsim export smpi-platform -p 16 --platform fat-tree-16 -o machine.xml \\\n"
                                "      -- ./a.out -n 3\n"
                                "\n"
                                "--transfer: rendezvous (default); eager, where the sender is busy until the\n"
                                "message has left; or eager-shared, SMPI's own, where messages under way share\n"
                                "the sender's port.\n"
                                "\n"
                                "With -p NxK, --per-node or --map, the ranks of a node share a host: they send to\n"
                                "each other at the node's alpha and beta, and to others through one link of\n"
                                "nic.rate. What SMPI cannot express is refused: several NICs that ranks share,\n"
                                "nic.messages, memory, and further levels with other figures.\n"
                                "\n"
                                "Where links in [topology] have a rate, the XML has each of them, and the route\n"
                                "of each pair of at most 1,024 hosts, which must be minimal. See `run` for\n"
                                "--topology, --routing and --nodes.";

typedef struct SmpiOptions {
    char *ranks, *per_node, *map, *platform, *transfer, *output;
    char **sets;
    NetworkOptions on;
} SmpiOptions;

static void options_clear(SmpiOptions *o)
{
    g_free(o->ranks);
    g_free(o->per_node);
    g_free(o->map);
    g_free(o->platform);
    g_free(o->transfer);
    g_free(o->output);
    g_strfreev(o->sets);
    network_options_clear(&o->on);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SmpiOptions, options_clear)

// Sets *m from the options. It points into the request, which has the platform and the map.
static gboolean read_machine(const SmpiOptions *o, SimgridMachine *m, Request *r, GError **error)
{
    int transfer = SIMGRID_RENDEZVOUS;
    if (!o->ranks)
        return bad_input(error, "-p is missing; allowed: -p P, the number of ranks");
    if (!ask_ranks(o->ranks, o->per_node, o->map, r, error))
        return FALSE;
    if (r->question.ranks->len != 1)
        return bad_input(error, "-p has %u numbers; allowed: one", r->question.ranks->len);
    if (o->transfer && !nearest_find("transfer", o->transfer, simgrid_transfers, &transfer, error))
        return FALSE;
    r->machine.platform = ask_platform(o->platform ? o->platform : PLATFORM_DEFAULT, error);
    r->machine.model = &hockney_model;
    if (!r->machine.platform || !request_network(&r->machine, &o->on, FALSE, error) ||
        !ask_sets(r->machine.platform, o->sets, &hockney_model, error) || !request_check_map(r, error))
        return FALSE;
    const int p = (int)g_array_index(r->question.ranks, size_t, 0);
    *m = (SimgridMachine){.platform = r->machine.platform,
                          .network = r->machine.options.network,
                          .transfer = (SimgridTransfer)transfer,
                          .p = p,
                          .map = request_mapping(&r->machine, p, request_per_node(r, 0))};
    return TRUE;
}

// Returns the name that both files have before .xml and .hosts: the one that -o gives, or the platform's name, in the
// folder -o if there is one. Free with g_free.
static char *base_name(const char *output, const Platform *platform)
{
    if (!output)
        return g_strdup(platform->name);
    if (g_str_has_suffix(output, ".xml") && !g_file_test(output, G_FILE_TEST_IS_DIR))
        return g_strndup(output, strlen(output) - strlen(".xml"));
    return g_build_filename(output, platform->name, NULL);
}

// Prints the words so that a shell reads them back. On a terminal, control characters are replaced.
static void print_command(char **words)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    for (int i = 0; words[i]; i++) {
        g_autofree char *quoted = g_shell_quote(words[i]);
        const gboolean safe = *words[i] && words[i][strspn(words[i], plain)] == '\0';
        g_autofree char *shown = isatty(STDOUT_FILENO) ? escape_terminal(quoted) : g_strdup(quoted);
        printf("%s%s", i ? " " : "", safe ? words[i] : shown);
    }
    putchar('\n');
}

int export_smpi(int argc, char **argv, GError **error)
{
    static const char *const no_program[] = {"PROGRAM", NULL};
    g_auto(SmpiOptions) o = {0};
    g_auto(GStrv) program = NULL;
    const GOptionEntry entries[] = {
        ENTRY_STRING("ranks", 'p', o.ranks, "number of ranks, or NxK for N hosts of K ranks", "P"),
        ENTRY_STRING("per-node", 0, o.per_node, "ranks per host (default 1)", "N"),
        ENTRY_MAP(o.map),
        NETWORK_ENTRIES(o.on),
        ENTRY_PLATFORM(o.platform),
        ENTRY_SET(o.sets),
        ENTRY_STRING("transfer", 0, o.transfer, "see above (default rendezvous)", "NAME"),
        ENTRY_STRING("output", 'o', o.output, "write here (default ./PLATFORM.xml)", "FILE|FOLDER"),
        {NULL},
    };
    if (!options_parse(argc, argv, "[PROGRAM [ARGUMENT…]]", help_text, entries, 0, G_MAXUINT, &program, error))
        return 2;
    SimgridMachine m = {0};
    g_auto(Request) request = {0};
    if (!read_machine(&o, &m, &request, error))
        return 2;
    g_autofree char *base = base_name(o.output, m.platform), *folder = g_path_get_dirname(base);
    g_autofree char *xml_file = g_strconcat(base, ".xml", NULL), *host_file = g_strconcat(base, ".hosts", NULL);
    g_auto(OutputSet) outputs = {0};
    if (!output_set_folder(&outputs, folder, error))
        return 2;
    g_autofree char *xml = simgrid_xml(&m, error), *hosts = xml ? simgrid_hostfile(&m) : NULL;
    if (!xml || !output_set_write(&outputs, xml_file, xml, strlen(xml), error) ||
        !output_set_write(&outputs, host_file, hosts, strlen(hosts), error) || !output_set_close(&outputs, error))
        return 2;
    g_auto(GStrv) words =
        simgrid_command(&m, xml_file, host_file, *program ? (const char *const *)program : no_program);
    g_autofree char *remark = simgrid_note(&m);
    if (remark)
        note_line(remark);
    ask_note_network(&request);
    print_command(words);
    return 0;
}
