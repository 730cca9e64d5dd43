// A schedule: what every rank does, as data. Ranks that do the same, relative to themselves, share one class.
//
//      class_of:  [0 1 1 2 ...]           one small number for each v = (rank - root) mod p; NULL: all are class 0
//      class 1:   RECV from -1, SEND to +2, LOOP over the last 2 operations, END
//
// Peers are relative to v in the form that the algorithm's entry declares; a length is a number of bytes, or the blocks
// of an even cut, counted from v. What repeats with constant strides of peer and block is a loop.
#pragma once
#include "api/backend.h"
#include "registry/registry.h"
#include <glib.h>

typedef enum OpKind {
    OP_END,
    OP_SEND,
    OP_RECV,
    OP_SENDRECV,
    OP_ISEND,
    OP_IRECV,
    OP_WAIT,    // for the request that is `to` places older than the newest
    OP_WAITALL, // for the `to` newest requests
    OP_THROTTLE,
    OP_REDUCE,
    OP_LOOP, // repeats the `to` operations before it, out.bytes times in all
} OpKind;

// What only a schedule of shared memory has: no messages then, but these, reductions and loops.
typedef enum SharedKind {
    OP_WRITE = OP_LOOP + 1,
    OP_READ,  // a slot of rank `from`'s queue, as one of `to` readers
    OP_RAISE, // the flag of queue `to`, to out.bytes
    OP_AWAIT, // until the flag that rank `from` has for queue `to` is out.bytes
} SharedKind;

enum { OWN_QUEUE = -1 }; // in place of a peer

typedef union Length {
    uint64_t bytes;
    struct {
        int32_t first, count; // blocks; first is relative to v
    } blocks;
} Length;

typedef struct Op {
    uint8_t kind;
    uint8_t out_cut, in_cut; // 0: bytes; else the blocks of cuts[..]
    uint8_t text;            // how many operations of the algorithm's text it stands for
    int32_t to, from;
    int32_t group;  // 0: none; else peers are relative to v's number in groups[..]
    Length out, in; // the length of a reduction, write or read is `in`
} Op;
_Static_assert(sizeof(Op) == 32, "operations are read in the innermost loop");

// What a loop adds in every round; out: also to what a flag says.
typedef struct Stride {
    int32_t to, from, out, in;
} Stride;

typedef struct Class {
    Op *ops; // ends with OP_END
    Stride *strides;
    uint32_t n_ops;
    bool cut, groups, loops; // are there lengths by blocks, peers by groups, loops?
} Class;

// An even cut of `whole` bytes into p parts: the first `longer` of them one element longer than `size`.
typedef struct Cut {
    size_t whole, size, elem;
    int longer;
} Cut;

// A group whose peers are written in its own numbering, where the whole's would make every rank another: the ranks that
// play once others are folded away.
typedef struct Group {
    CollMap map;
    int p;
    int32_t *v;      // of each member
    int32_t *member; // of each v; -1: none
} Group;

enum { MAX_CUTS = 256, MAX_GROUPS = 8 };

typedef struct Schedule {
    int p, root;
    CollPeers peers;
    uint32_t *class_of;
    Class *classes;
    uint32_t n_classes;
    Cut cuts[MAX_CUTS]; // from 1 on
    int n_cuts;
    Group *groups[MAX_GROUPS]; // from 1 on; counted references
    int n_groups;
    uint32_t kinds; // 1 << kind of all operations
    bool shared;    // of shared memory
    // As the texts say it; the operations above may say it otherwise, where that takes the same time.
    bool one_source; // whenever a rank has several receives open, they have one source
    bool one_send;   // no rank has two sends open at a time
    bool one_round;  // no rank begins a message after it has waited for one, and none reduces
} Schedule;

typedef struct Totals {
    uint64_t messages, bytes_sent, bytes_received, bytes_reduced; // of all ranks
    uint64_t max_messages_sent, max_messages_received;            // of any one rank
    uint64_t max_bytes_sent, max_bytes_received, max_bytes_reduced;
    uint64_t writes, reads, bytes_written, bytes_read, max_bytes_written, max_bytes_read; // of shared memory
} Totals;

// Counts the classes and replays nothing. The sums do not wrap: a field holds UINT64_MAX where the true sum is larger.
Totals schedule_totals(const Schedule *s);
// Whoever replays a schedule that a user asked for checks its totals first. Returns false and a "too large" error unless
// each of them is below SCHEDULE_MOST. Then no certificate overflows: a critical path passes an operation at most once,
// so its counts of messages, bytes sent and bytes reduced are at most the totals. `name` is the algorithm's.
#define SCHEDULE_MOST ((uint64_t)1 << 62)
gboolean schedule_check(const Totals *totals, const char *name, int p, GError **error);
// The least n such that every v does what v mod n does, with lengths and peers relative to v, so that where nothing else
// tells ranks apart the first n stand for all; p if there is none.
int schedule_period(const Schedule *s);
void schedule_free(Schedule *s);

static inline const Class *class_of(const Schedule *s, int v)
{
    return &s->classes[s->class_of ? s->class_of[v] : 0];
}

// The v of a peer; `round` is the number of the loop's round.
static inline int peer_of(const Schedule *s, int v, int32_t relative, int32_t stride, uint32_t round)
{
    if (G_UNLIKELY(round && stride)) {
        const int64_t moved = relative + (int64_t)stride * round;
        relative = (int32_t)(s->peers == PEERS_SHIFT ? ((moved % s->p) + s->p) % s->p : moved);
    }
    switch (s->peers) {
    case PEERS_SHIFT: {
        const int peer = v - (s->p - relative);
        return peer < 0 ? peer + s->p : peer;
    }
    case PEERS_XOR:
        return v ^ relative;
    case PEERS_ABSOLUTE:
        break;
    }
    return relative;
}

// The v of op's peer `relative` (op->to or op->from).
static inline int op_peer(const Schedule *s, int v, const Op *op, int32_t relative, int32_t stride, uint32_t round)
{
    if (G_UNLIKELY(op->group)) {
        const Group *g = s->groups[op->group];
        return g->v[g->member[v] ^ relative];
    }
    return peer_of(s, v, relative, stride, round);
}

// How many of `count` blocks from `first` on, and once around p, are among the longer ones.
static inline int cut_longer(const Cut *cut, int p, int first, int count)
{
    return CLAMP(cut->longer - first, 0, count) + CLAMP(first + count - p, 0, cut->longer);
}

static inline size_t cut_length(const Cut *cut, int p, int first, int count)
{
    const int extra = cut_longer(cut, p, first, count);
    return (size_t)count * cut->size + (size_t)extra * cut->elem;
}

static inline int cut_first(const Schedule *s, int v, Length l, int32_t stride, uint32_t round)
{
    const int64_t at = v + (int64_t)l.blocks.first + (int64_t)stride * round;
    return (int)(at >= 0 && at < s->p ? at : ((at % s->p) + s->p) % s->p);
}

static inline size_t length_of(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint32_t round)
{
    return G_LIKELY(!cut) ? l.bytes
                          : cut_length(&s->cuts[cut], s->p, cut_first(s, v, l, stride, round), l.blocks.count);
}

// The rank of v, and back.
static inline int rank_of(const Schedule *s, int v)
{
    const int r = v - (s->p - s->root);
    return r < 0 ? r + s->p : r;
}

static inline int v_of_rank(const Schedule *s, int rank)
{
    return rank < s->root ? rank - s->root + s->p : rank - s->root;
}
