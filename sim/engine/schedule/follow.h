// Follows a rank's text along the list of operations that another rank's text has made. This shows that the two do the
// same for much less than recording the text would take. Private to the recorder.
#pragma once
#include "api/backend.h"
#include "engine/schedule/builder.h"

// What a text must issue: ranks instead of peers relative to v. What an operation does not have is 0, as in CollIssue.
typedef struct Followed {
    int kind; // CollOpKind
    int to, from;
    bool cut; // the lengths of `op` count, not these
    size_t out, in;
    const Op *op;
} Followed;

typedef struct Follower {
    const Schedule *s;
    const Class *c; // has the list
    int v;
    bool lost;               // the text did something else
    uint32_t at;             // what comes next in the list: an operation, or the loop that goes on
    uint32_t body, k;        // operations in the body of that loop, and which of them is the next; 0 if no loop goes on
    bool same;               // all rounds of that loop are alike, and no length of it is in blocks
    uint64_t round, rounds;  // of that loop, from 0
    Followed next[MAX_BODY]; // of each operation of the body, what comes next; without a loop, the first is next
    int64_t operations;      // that came so far
} Follower;

// Begins at the list of v's class. Returns false if the list has operations that cannot be followed: those in shared
// memory or of groups, requests, and what stands for several operations of a text.
bool follow_begin(Follower *f, const Schedule *s, int v);
// The general case of follow_op.
void follow_step(Follower *f, const CollIssue *in);

// Returns true if the operation is the expected one, whose lengths are not in blocks.
static inline bool follow_fits(const Followed *e, const CollIssue *in)
{
    const int differs = ((int)in->kind ^ e->kind) | (in->to ^ e->to) | (in->from ^ e->from);
    const bool slots = (in->in->buf | in->out->buf) < 0;
    return !differs && !slots && !((in->out->len ^ e->out) | (in->in->len ^ e->in));
}

// The next operation of the text that is not a copy.
static inline void follow_op(Follower *f, const CollIssue *in)
{
    // Most operations are in long loops. There the end of a round matters only if it is the last.
    if (!f->same || !follow_fits(&f->next[f->k], in) || (f->k + 1 == f->body && f->round + 1 == f->rounds)) {
        follow_step(f, in);
        return;
    }
    f->operations++;
    if (++f->k == f->body) {
        f->k = 0;
        f->round++;
    }
}

// Returns true if the text has done what the list says, and no more.
static inline bool follow_end(const Follower *f)
{
    return !f->lost && f->c->ops[f->at].kind == OP_END;
}
