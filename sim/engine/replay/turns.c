#include "engine/replay/turns.h"
#include "engine/replay/lengths.h"
#include "engine/replay/lockstep.h"
#include "engine/schedule/part.h"

// Returns true if the classes have the same number of steps, and no length of more than one block.
static bool may_meet(const Schedule *s, int n, int64_t steps)
{
    for (int c = 0; c < n; c++) {
        const Class *k = class_of(s, c);
        if (class_steps(k, 0, k->n_ops - 1) != steps)
            return false;
        for (uint32_t i = 0; i < k->n_ops; i++)
            if ((k->ops[i].out_cut && k->ops[i].out.blocks.count != 1) ||
                (k->ops[i].in_cut && k->ops[i].in.blocks.count != 1))
                return false;
    }
    return true;
}

// Returns true if lockstep in turns may run on this machine.
static bool suits(const Schedule *s, const Hockney *model)
{
    const Site *site = model->site;
    if (!cost_is_measured(model))
        return (!site || (site_has_one_level(site) && !site_contends(site))) && model->transfer != TRANSFER_EAGER_PORT;
    // Ranks of one class are then all as far from their peers, as the numbers of their nodes tell.
    const bool far_alike = site->measured->far == 0 || site_each_is_node(site);
    return site_has_one_level(site) && !site_contends(site) && has_one_port(model) && far_alike &&
           lengths_of(s, site).gaps_within;
}

int turns_of(const Schedule *s, const Hockney *model)
{
    if (s->peers != PEERS_SHIFT || !has_only(s, OPS_IN_STEP) || !suits(s, model))
        return 0;
    const int n = schedule_turn(s);
    if (n < 2 || n == s->p)
        return 0;
    const int64_t steps = class_steps(class_of(s, 0), 0, class_of(s, 0)->n_ops - 1);
    bool good = may_meet(s, n, steps);
    g_autofree Cursor *at = g_new0(Cursor, n);
    g_autofree LockstepStep *step = g_new(LockstepStep, n);
    for (int64_t i = 0; good && i < steps; i++) {
        for (int c = 0; c < n; c++) {
            step[c] = lockstep_step_at(s, class_of(s, c), at[c]);
            at[c] = next_step(class_of(s, c), at[c]);
        }
        good = lockstep_steps_meet(s, step, n);
    }
    return good ? n : 0;
}
