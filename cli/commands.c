#include "base/error.h"
#include "cli.h"
#include <string.h>

const Command commands[] = {
    {"list", "list the algorithms", cmd_list},
    {"show", "draw the rounds of an algorithm, and say what it needs and costs", cmd_show},
    {"cite", "print what to cite for an algorithm, as BibTeX", cmd_cite},
    {"run", "predict how long algorithms take, and rank them", cmd_run},
    {"trace", "write what every rank does when, for Perfetto", cmd_trace},
    {"matrix", "say which ranks send how much to which, as a picture or text", cmd_matrix},
    {"traffic", "say what the links between nodes carry, round by round", cmd_traffic},
    {"network", "describe the network between nodes, and draw it", cmd_network},
    {"best", "find the fastest algorithms with their best parameters", cmd_best},
    {"sweep", "run the points of a grid, and go on after a kill", cmd_sweep},
    {"merge", "put the rows of a sweep's shards together", cmd_merge},
    {"crossover", "find the size at which the faster of two algorithms changes", cmd_crossover},
    {"check", "compare simulation with exact formulas, SimGrid or a real MPI", cmd_check},
    {"audit", "find out which published cost formulas hold", cmd_audit},
    {"bound", "compare the fastest algorithm with lower bounds", cmd_bound},
    {"report", "write a page about a machine: what to set, and why", cmd_report},
    {"regret", "find out what a library's defaults cost, and where", cmd_regret},
    {"guidelines", "find collectives that are slower than others with their work", cmd_guidelines},
    {"app", "predict an application's collectives, and what settings save", cmd_app},
    {"new", "write an algorithm of your own, to be changed", cmd_new},
    {"measure", "measure algorithms with a real MPI", cmd_measure},
    {"explore", "open a page that answers while you drag", cmd_explore},
    {"plot", "draw time over size or ranks", cmd_plot},
    {"calibrate", "compute a machine's figures from measurements", cmd_calibrate},
    {"validate", "hold predictions against what was measured", cmd_validate},
    {"compare", "find the algorithm that a measured curve is of", cmd_compare},
    {"tune", "write the rules file that makes a library choose well", cmd_tune},
    {"learn", "grow a decision tree that chooses algorithms, and test it", cmd_learn},
    {"rules", "say what a library's rules file makes it run, and its traps", cmd_rules},
    {"export", "write schedules and platforms for other programs", cmd_export},
    {NULL},
};

const Command *commands_find(const char *name)
{
    for (const Command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

Description *commands_describe(const Command *command, const char *kind)
{
    g_autoptr(GError) error = NULL;
    char name[64], of[64], option[] = "--describe";
    g_strlcpy(name, command->name, sizeof name);
    g_strlcpy(of, kind ? kind : "", sizeof of);
    char *argv[] = {name, kind ? of : option, kind ? option : NULL, NULL};
    command->run(kind ? 3 : 2, argv, &error);
    return g_error_matches(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP) ? description_read(error->message) : NULL;
}
