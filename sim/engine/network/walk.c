#include "engine/network/walk.h"
#include "base/error.h"
#include "engine/network/walk_run.h"
#include "engine/replay/plan.h"

// A message takes one unit.
static const Hockney unit_costs = {.alpha = 1};

// Hands the rounds of a schedule on in which all ranks go in step.
static void walk_in_step(const Schedule *s, int turn, WalkEach *each, gpointer user)
{
    g_autofree Cursor *at = g_new0(Cursor, turn);
    g_autofree LockstepStep *step = g_new(LockstepStep, turn);
    WalkRound round = {.s = s, .step = step, .turn = turn, .period = s->p};
    while (class_of(s, 0)->ops[at[0].pc].kind != OP_END) {
        for (int c = 0; c < turn; c++) {
            step[c] = lockstep_step_at(s, class_of(s, c), at[c]);
            at[c] = next_step(class_of(s, c), at[c]);
        }
        if (step[0].kind != OP_SENDRECV)
            continue;
        each(&round, user);
        round.round++;
    }
}

int walk_turn(const Schedule *s, Transfer transfer)
{
    Hockney model = unit_costs;
    model.transfer = transfer;
    if (s->graph || s->mixed)
        return 0;
    const GearPlan plan = gear_plan(s, &model, &(ReplayOptions){.full = true});
    return plan.gear == GEAR_LOCKSTEP && !plan.queues ? plan.turn : 0;
}

gboolean walk_rounds(const Schedule *s, Transfer transfer, WalkEach *each, gpointer user, GError **error)
{
    if (s->graph)
        return bad_input(error, "%s is a graph of operations, whose rounds are not known; allowed: algorithms in C",
                         s->name);
    const int turn = walk_turn(s, transfer);
    if (turn == 0)
        return walk_run(s, transfer, each, user, error);
    walk_in_step(s, turn, each, user);
    return TRUE;
}
