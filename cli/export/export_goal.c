// `collsim export goal`: writes a schedule in GOAL, the text form that LogGOPSim reads.
#include "out/note.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/output.h"
#include "export/export.h"
#include "engine/loggops/goal_record.h"
#include "engine/goal/goal_text.h"

static const char help_text[] = "Writes the schedule of one algorithm in LogGOPSim's text form.\n"
                                "\n"
                                "  collsim export goal bcast binomial -p 8 -m 8K -o bcast.goal\n"
                                "  collsim run --goal bcast.goal\n"
                                "\n"
                                "An operation requires those that its rank has waited for. Reducing n bytes is a\n"
                                "calc of n times the platform's gamma, rounded to nanoseconds. --set takes the\n"
                                "other parameters of loggops too, but they matter only when the schedule runs.\n"
                                "\n"
                                "A message of 0 bytes is written as 1b, because LogGOPSim's clocks go back on 0b.\n"
                                "It costs what `run --model loggops` charges for 0 bytes, except that it is a\n"
                                "rendezvous if S is 0.\n"
                                "\n"
                                "A schedule has no levels: --map and -p NxK only say how an algorithm groups its\n"
                                "ranks, and messages inside a node cost the same as others.";

// Returns TRUE if the machine or the map has levels, which a schedule cannot have.
static gboolean has_levels(const Export *x, const Platform *platform)
{
    const Request *r = &x->request;
    return platform->levels.n > 1 || r->machine.map.kind != MAP_NONE || request_per_node(r, 0) > 0;
}

// Notes each --set of another figure than gamma, because a schedule has no other.
static void note_sets(char **sets)
{
    for (; sets && *sets; sets++)
        if (!g_str_has_prefix(*sets, "gamma="))
            note("--set %s has no effect: a GOAL schedule has no figure but gamma", *sets);
}

int export_goal(int argc, char **argv, GError **error)
{
    g_auto(Export) x = {0};
    const PlatformKey gamma[] = {KEY_GAMMA};
    const GOptionEntry more[] = {
        ENTRY_PLATFORM(x.options.platform),
        ENTRY_STRINGS("set", x.options.sets, "change gamma, as in gamma=1ns/B", "KEY=VALUE"),
        {NULL},
    };
    if (!export_begin(argc, argv, help_text, more, &x, error))
        return 2;
    g_autoptr(Platform) platform = ask_platform(x.options.platform ? x.options.platform : PLATFORM_DEFAULT, error);
    g_auto(Output) output = {0};
    if (!platform || !ask_sets(platform, x.options.sets, &loggops_model, error) ||
        !output_open(&output, x.output, error))
        return 2;
    note_sets(x.options.sets);
    g_autoptr(Goal) goal = goal_record(&x.op, error);
    if (!goal)
        return 2;
    const uint64_t longest = goal_longest_calc(goal);
    const double gamma_ns = platform->value[KEY_GAMMA] * 1e9;
    if (longest > 0 && !platform_need(platform, gamma, 1, "export goal", error))
        return 2;
    if ((double)longest * gamma_ns >= 0x1p62) {
        bad_input(error, "a gamma of %g ns/B makes a calc of %g ns; allowed: less than 2^62 ns", gamma_ns,
                  (double)longest * gamma_ns);
        return 2;
    }
    const gboolean lengthened = goal_to_ns(goal, gamma_ns);
    g_autofree char *raw = export_title(&x), *title = escape_terminal(raw);
    g_autofree char *machine = escape_terminal(platform->name); // a comment is one line, and any name is allowed
    fprintf(output.to, "// written by collsim: %s\n", title);
    if (longest > 0)
        fprintf(output.to, "// calc: in ns; reducing a byte takes %.15g ns (%s); each calc is rounded to whole ns\n",
                gamma_ns, machine);
    if (has_levels(&x, platform)) {
        note("a GOAL schedule has no levels: messages inside a node will cost the same as others");
        fputs("// levels are left out: messages inside a node cost the same as others\n", output.to);
    }
    if (lengthened)
        fputs("// messages of 0 bytes are written as 1b\n", output.to);
    goal_write(goal, output.to);
    return output_close(&output, error) ? 0 : 2;
}
