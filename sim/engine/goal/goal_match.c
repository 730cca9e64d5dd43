// The index of a line. It is a set of lists. An entry from source S with tag T is in three of them,
//
//     BY_BOTH (S, T),   BY_SOURCE S   and   BY_TAG T,
//
// where S or T may be GOAL_ANY, which is a source or a tag like any other here. Whoever looks for source s and tag t
// takes the oldest of the heads of
//
//     BY_BOTH (s, t), (s, GOAL_ANY), (GOAL_ANY, t) and (GOAL_ANY, GOAL_ANY)    if neither is GOAL_ANY,
//     BY_SOURCE s and GOAL_ANY                                                 if t is GOAL_ANY,
//     BY_TAG t and GOAL_ANY                                                    if s is GOAL_ANY,
//     the line itself                                                          if both are.
//
// An entry that was taken from one list stays in the others until it is their head, and is dropped then.
#include "engine/goal/goal_match.h"

void goal_match_init(GoalMatch *m, const Goal *goal, const Chain *chain)
{
    const uint32_t n_ops = goal_n_ops(goal);
    *m = (GoalMatch){.ops = n_ops > 0 ? goal_op(goal, 0) : NULL,
                     .n_ops = n_ops,
                     .n_lines = 2 * (size_t)goal_n_hosts(goal),
                     .chain = *chain};
    m->line = g_new(GoalLine, m->n_lines);
    memset(m->line, 0xff, m->n_lines * sizeof(GoalLine)); // NOTHING
}

void goal_match_clear(GoalMatch *m)
{
    g_free(m->line);
    g_free(m->indexed);
    for (GoalList kind = 0; kind < LISTS; kind++)
        g_free(m->next[kind]);
    numbers_clear(&m->keys);
    g_free(m->list);
}

static uint32_t source_of(const GoalOp *o)
{
    return o->kind == GOAL_SEND ? o->host : o->peer;
}

static GoalKey list_key(size_t line, GoalList kind, uint32_t source, uint32_t tag)
{
    if (kind == BY_SOURCE)
        tag = GOAL_ANY;
    if (kind == BY_TAG)
        source = GOAL_ANY;
    return (GoalKey){(uint64_t)line * LISTS + kind, (uint64_t)source << 32 | tag};
}

static gboolean has_wildcards(const GoalMatch *m)
{
    for (uint32_t op = 0; op < m->n_ops; op++)
        if (m->ops[op].kind != GOAL_CALC && (m->ops[op].tag == GOAL_ANY || m->ops[op].peer == GOAL_ANY))
            return TRUE;
    return FALSE;
}

// Gives an entry of the line its age, and adds it to its lists.
static void add_to_lists(GoalMatch *m, size_t line, uint32_t op)
{
    const GoalOp *o = &m->ops[op];
    m->chain.seq[op] = m->n_added++;
    for (GoalList kind = 0; kind < m->n_kinds; kind++) {
        const uint32_t n = m->keys.n;
        const size_t room = m->keys.size;
        const uint32_t list = numbers_add(&m->keys, list_key(line, kind, source_of(o), o->tag));
        if (m->keys.size > room)
            m->list = g_renew(GoalLine, m->list, m->keys.size / 2);
        if (list == n)
            m->list[list].head = NOTHING;
        line_append(&(Chain){.next = m->next[kind]}, &m->list[list], op);
    }
}

void goal_match_append(GoalMatch *m, size_t line, uint32_t op)
{
    line_append(&m->chain, &m->line[line], op);
    add_to_lists(m, line, op);
}

void goal_match_index(GoalMatch *m, size_t line)
{
    if (!m->indexed) {
        m->indexed = g_new0(uint8_t, m->n_lines);
        m->n_kinds = has_wildcards(m) ? LISTS : 1;
        for (GoalList kind = 0; kind < m->n_kinds; kind++)
            m->next[kind] = g_new(uint32_t, m->n_ops);
    }
    m->indexed[line] = TRUE;
    for (uint32_t op = m->line[line].head; op != NOTHING; op = m->chain.next[op])
        add_to_lists(m, line, op);
}

// Returns the oldest entry that is left in a list, after dropping those before it, or NOTHING.
static uint32_t front(const GoalMatch *m, GoalLine *list, const uint32_t *next)
{
    while (list->head != NOTHING && m->chain.seq[list->head] == TAKEN)
        list->head = next[list->head];
    return list->head;
}

uint32_t goal_match_take(GoalMatch *m, size_t line, uint32_t op)
{
    const GoalOp *mine = &m->ops[op];
    const uint32_t sources[] = {source_of(mine), GOAL_ANY}, tags[] = {mine->tag, GOAL_ANY};
    const int n_sources = sources[0] == GOAL_ANY ? 1 : 2, n_tags = tags[0] == GOAL_ANY ? 1 : 2;
    const GoalList kind = n_tags == 1 ? BY_SOURCE : n_sources == 1 ? BY_TAG : BY_BOTH;
    uint32_t oldest = NOTHING;
    if (n_sources == 1 && n_tags == 1)
        oldest = front(m, &m->line[line], m->chain.next);
    else
        for (int i = 0; i < n_sources * n_tags; i++) {
            const uint32_t list = numbers_find(&m->keys, list_key(line, kind, sources[i / n_tags], tags[i % n_tags]));
            const uint32_t first = list == GOAL_NO_NUMBER ? NOTHING : front(m, &m->list[list], m->next[kind]);
            if (first != NOTHING && (oldest == NOTHING || m->chain.seq[first] < m->chain.seq[oldest]))
                oldest = first;
        }
    if (oldest != NOTHING)
        m->chain.seq[oldest] = TAKEN;
    return oldest;
}
