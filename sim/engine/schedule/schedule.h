// A schedule: what every rank does in one run of an algorithm, as data. Ranks are numbered v = (rank - root) mod p.
// Ranks whose operations are the same relative to v share one list of operations, a class:
//
//      class_of:  [0 1 1 2 ...]           the class of each v; NULL if all are class 0
//      class 1:   RECV from -1, SEND to +2, LOOP over the last 2 operations, END
//
// A peer is relative to v in the form that the algorithm's registry entry declares (CollPeers). A length is a number of
// bytes, or a number of blocks of an even cut with the first block counted from v. Operations that repeat with constant
// strides of peer and block are a loop.
#pragma once
#include "api/backend.h"
#include "registry/registry.h"
#include "engine/schedule/phases.h"
#include <glib.h>

typedef enum OpKind {
    OP_END,
    OP_SEND,
    OP_RECV,
    OP_SENDRECV,
    OP_ISEND,
    OP_IRECV,
    OP_WAIT,     // waits for the request that is `to` places older than the newest; 0 is the newest
    OP_WAITALL,  // waits for the `to` newest requests
    OP_THROTTLE, // waits until fewer than `to` of the requests not waited for are pending
    OP_REDUCE,
    OP_COPY,  // a copy, pack or unpack, if copies are recorded (RecordOptions)
    OP_FRESH, // the first use of a scratch buffer, likewise
    // What the library does for a message, if that is recorded (messages_work.h); the length of the first is 1, that of the
    // second a number of messages, and none is in blocks.
    OP_CONNECT, // a rank sets up its end of a connection
    OP_MATCH,   // a receive finds its message among those in line
    OP_BOUNCE,  // the receiver of an eager message copies it
    OP_LOOP,    // repeats the `to` operations before it; they run out.bytes times in all
} OpKind;

// The operations in shared memory. An algorithm in shared memory has these, reductions and loops, but no messages; a
// composition with a part in shared memory has all kinds.
typedef enum SharedKind {
    OP_WRITE = OP_LOOP + 1, // writes a slot of its queue; `to` is 1 if it knows that it has written the slot before
    OP_READ,                // reads a slot of a queue that rank `from` owns, as one of `to` readers; -to if it lends it
    OP_RAISE,               // raises this rank's flag for queue `to` to the value out.bytes
    OP_AWAIT,               // waits until the flag of rank `from` for queue `to` is at least out.bytes
    OP_LOCAL,               // a copy within the rank's own memory, if such are recorded (RecordOptions.local)
    OP_CALL,                // the start of a reduction, which follows; likewise
} SharedKind;

enum { OWN_QUEUE = -1 }; // the `to` of a raise or an await that means the rank's own queue

// Returns whether an operation is work of the rank itself; its WorkKind is then its distance from OP_REDUCE.
static inline bool op_works(int kind)
{
    return kind >= OP_REDUCE && kind <= OP_BOUNCE;
}

// Returns whether an operation is one in shared memory.
static inline bool op_shares(int kind)
{
    return kind >= OP_WRITE && kind <= OP_CALL;
}

typedef union Length {
    uint64_t bytes;
    struct {
        int32_t first, count; // blocks; first is relative to v
    } blocks;
} Length;

typedef struct Op {
    uint8_t kind;
    uint8_t out_cut, in_cut; // 0 if the length is in bytes; otherwise the length is in blocks of Schedule.cuts[..]
    uint8_t text;            // how many operations of the algorithm's text it replaces
    int32_t to, from;
    int16_t group;  // 0 if peers are relative to v; otherwise to v's member number in Schedule.groups[..]
    uint16_t phase; // of Schedule.phases; 0 unless they are recorded, or if the text does not say
    Length out, in; // the length of a reduction, copy, scratch buffer, write or read is `in`
} Op;
_Static_assert(sizeof(Op) == 32, "operations are read in the innermost loop");

// What one operation of a loop's body changes by from each round to the next: its peers and its first blocks. For a
// flag, `out` is the change of the flag's value.
typedef struct Stride {
    int32_t to, from, out, in;
} Stride;

typedef struct Class {
    Op *ops;                 // ends with OP_END
    const Stride *strides;   // one for each operation, or schedule_still; NULL if the class has no loops
    uint32_t n_ops;          // including OP_END
    bool cut, groups, loops; // whether some lengths are in blocks, some peers are in groups, some operations are loops
    bool one_source;         // whenever a rank of the class has several receives open, they have the same source
} Class;

// The strides of every class of up to MAX_STILL operations whose loops do not move: many ranks then read the same few
// cache lines.
enum { MAX_STILL = 256 };
extern const Stride schedule_still[MAX_STILL];

// An even cut of `whole` bytes into p blocks: the first `longer` blocks have size + elem bytes, the others `size`.
typedef struct Cut {
    size_t whole, size, elem;
    int longer;
} Cut;

// The ranks that go on after others were folded away, as the 4 of p = 6 ranks that take part in recursive doubling. In
// the numbering of all ranks each member's partners look different; in the group's own numbering they are the same XOR
// for every member, so that the members share a class.
typedef struct Group {
    CollMap map;
    int p;           // members
    int32_t *v;      // the v of each member
    int32_t *member; // the member number of each v; -1 for a v that is not a member
} Group;

// What makes a schedule a graph: its operations are isends, irecvs and reductions without waits, and the graph says
// what each of them waits for.
typedef struct ScheduleGraph {
    const struct Goal *goal; // borrowed
    uint32_t *first;         // by rank: the number of its first operation in the graph; p + 1 of them
    uint32_t *met;           // by operation: of a receive, the send that it met in the last replay; UINT32_MAX for none
    uint32_t unequal;        // how many messages of the last replay have another size at their receive
    bool *any;               // by rank: it has receives from any rank
} ScheduleGraph;

enum { MAX_CUTS = 256, MAX_GROUPS = 8 };

typedef struct Schedule {
    const char *name; // the algorithm's
    int p, root;
    CollPeers peers;
    uint32_t *class_of;
    Class *classes;
    uint32_t n_classes;
    Cut cuts[MAX_CUTS];        // from index 1 on
    int n_cuts;                // including index 0, which is not a cut
    Group *groups[MAX_GROUPS]; // from index 1 on; reference-counted boxes (g_rc_box)
    int n_groups;              // including index 0, which is not a group
    ScheduleGraph *graph;      // NULL if each rank's operations are a sequence
    Phases phases;             // that operations are in, if they are recorded (RecordOptions)
    uint32_t kinds;            // 1 << kind, for every kind of operation that occurs
    bool shared;               // all are: there are no messages
    bool mixed;                // some operations are in shared memory
    // Properties of the algorithm's text. The operations above may differ from the text (isends that became sends, for
    // example) where that takes the same time.
    bool one_source; // whenever a rank has several receives open, they have the same source
    int most_open;   // how many receives a rank has open at a time at most, of those ranks that have several sources
    bool one_send;   // no rank ever has two sends open
    bool one_round;  // no rank begins a message after it has waited for one, and none reduces
    bool irregular;  // the recorded texts cut blocks of different lengths, or a part's fallback ran (CollRun)
    gint others;     // how many owners it has apart from the first one (schedule_ref)
} Schedule;

typedef struct Totals {
    uint64_t messages, bytes_sent, bytes_received, bytes_reduced; // sums over all ranks
    uint64_t max_messages_sent, max_messages_received;            // maxima over the ranks
    uint64_t max_bytes_sent, max_bytes_received, max_bytes_reduced;
    uint64_t writes, reads, bytes_written, bytes_read, max_bytes_written, max_bytes_read; // in shared memory
    uint64_t bytes_copied, bytes_fresh;                                                   // of OP_COPY and OP_FRESH
    uint64_t connects, matches, bytes_bounced; // of OP_CONNECT, OP_MATCH and OP_BOUNCE: the sums of their lengths
    uint64_t works;                            // operations of a rank's own work (op_works), not bytes
} Totals;

// Returns the bytes that a rank of the class writes and reads in shared memory.
uint64_t schedule_bytes_shared(const Class *class);
// Counts what all ranks do, without a replay. A field is UINT64_MAX if the true value does not fit into 64 bits.
Totals schedule_totals(const Schedule *s);
// Returns false and a "too large" error unless every sum of the totals is below SCHEDULE_MOST. Check a schedule that a
// user asked for before its replay, because then no certificate overflows: a critical path passes an operation at most
// once, so its counts of messages and of bytes sent, reduced and copied are at most the totals. `name` is the
// algorithm's.
#define SCHEDULE_MOST ((uint64_t)1 << 62)
gboolean schedule_check(const Totals *totals, const char *name, int p, GError **error);
// Returns the sum of a length of v over `rounds` rounds of a loop from its first one on, in bytes. `cut` is the
// operation's out_cut or in_cut, and `stride` the length's in Stride.
unsigned __int128 schedule_sum_length(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint64_t rounds);
// Returns the smallest divisor n of p for which every v does what v mod n does, with peers relative to v. Returns p if
// no smaller one does, if peers are absolute, if some lengths are in blocks, or if some peers are in groups. If ranks also
// start alike, a replay of v = 0 .. n-1 stands for all ranks.
int schedule_period(const Schedule *s);
// Returns the smallest divisor n of p for which every v shares the class of v mod n. Unlike schedule_period, it does
// not ask whether this makes their times equal. With XOR peers n is a power of two, and so must p be.
int schedule_turn(const Schedule *s);
// Returns, by class, how many of v = 0 .. n-1 are in it. Free with g_free.
uint64_t *schedule_class_ranks(const Schedule *s, int n);
// Adds an owner, who must not change the schedule, and returns it. Free with schedule_free.
Schedule *schedule_ref(Schedule *s);
// Takes an owner away, and frees the schedule with the last one; NULL is allowed.
void schedule_free(Schedule *s);
// Returns about how many bytes of memory a schedule has.
size_t schedule_bytes(const Schedule *s);

static inline const Class *class_of(const Schedule *s, int v)
{
    return &s->classes[s->class_of ? s->class_of[v] : 0];
}

// A place in a class: an operation, in a round of its loop.
typedef struct Cursor {
    uint32_t pc, round;
} Cursor;

// Returns the place after this one, which is never at an OP_LOOP.
static inline Cursor next_step(const Class *k, Cursor at)
{
    at.pc++;
    if (k->ops[at.pc].kind != OP_LOOP)
        return at;
    if (++at.round < k->ops[at.pc].out.bytes)
        at.pc -= (uint32_t)k->ops[at.pc].to;
    else
        at = (Cursor){at.pc + 1, 0};
    return at;
}

// Returns the v of a peer that is `relative` in the first round of a loop, and moves on by `stride` in every further
// one. `round` counts the loop's rounds from 0.
static inline int peer_of(const Schedule *s, int v, int32_t relative, int32_t stride, uint32_t round)
{
    if (G_UNLIKELY(round && stride)) {
        const int64_t moved = relative + (int64_t)stride * round;
        const bool within = moved >= 0 && moved < s->p; // mostly, and a division is slow
        relative = (int32_t)(s->peers != PEERS_SHIFT || G_LIKELY(within) ? moved : ((moved % s->p) + s->p) % s->p);
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

// Returns the v of op's peer. `relative` is op->to or op->from; see peer_of for stride and round.
static inline int op_peer(const Schedule *s, int v, const Op *op, int32_t relative, int32_t stride, uint32_t round)
{
    if (G_UNLIKELY(op->group)) {
        const Group *g = s->groups[op->group];
        return g->v[g->member[v] ^ relative];
    }
    return peer_of(s, v, relative, stride, round);
}

// Returns how many of the blocks first .. first + count - 1, modulo p, are longer ones; count is at most p.
static inline int cut_longer(const Cut *cut, int p, int first, int count)
{
    return CLAMP(cut->longer - first, 0, count) + CLAMP(first + count - p, 0, cut->longer);
}

// Returns the length of these blocks in bytes.
static inline size_t cut_length(const Cut *cut, int p, int first, int count)
{
    const int extra = cut_longer(cut, p, first, count);
    return (size_t)count * cut->size + (size_t)extra * cut->elem;
}

// Returns the number of the first block of a length in blocks, for v in this round of its loop.
static inline int cut_first(const Schedule *s, int v, Length l, int32_t stride, uint32_t round)
{
    const int64_t at = v + (int64_t)l.blocks.first + (int64_t)stride * round;
    return (int)(at >= 0 && at < s->p ? at : ((at % s->p) + s->p) % s->p);
}

// Returns a length in bytes, for v in this round of its loop; `cut` is the operation's out_cut or in_cut.
static inline size_t length_of(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint32_t round)
{
    return G_LIKELY(!cut) ? l.bytes
                          : cut_length(&s->cuts[cut], s->p, cut_first(s, v, l, stride, round), l.blocks.count);
}

// Converts v to a rank, and v_of_rank() a rank to v.
static inline int rank_of(const Schedule *s, int v)
{
    const int r = v - (s->p - s->root);
    return r < 0 ? r + s->p : r;
}

static inline int v_of_rank(const Schedule *s, int rank)
{
    return rank < s->root ? rank - s->root + s->p : rank - s->root;
}
