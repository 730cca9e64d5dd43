// What the model of shared memory charges. For n bytes, writing a slot takes n write, and reading one n read, or n read
// readers / lanes if more than `lanes` ranks read it. An await ends at the rank's own clock or `flag` after the flag
// was raised, whichever is later.
//
// `flag` and `line` may depend on the level of the two ranks: their values here are those of the innermost level, and
// outer_flag[l-1] and outer_line[l-1] those of level l. The last of SHARED_LEVELS stands for all beyond.
//
// The other figures are 0 on machines that do not give them. A cache line that another core wrote takes `line` to
// come: the first line of a slot that is read, and the line of a flag for which the rank does not have to wait; a wait
// has it in `flag`. If several ranks read a slot, each of the others delays a reader by `queue`. To raise a flag takes
// `raise`, and to write a slot again n reuse more, because its lines come back from those who read it; to write it for the
// first time n touch more, because it gets its pages then. A copy within a
// rank's memory takes n local, and a reduction `call` before its bytes. A byte that is read from the memory of another
// socket takes `remote` times as long. A copy out of a buffer that another rank lends is a read, which takes `single`
// more.
#pragma once
#include "engine/replay/term.h"
#include "engine/schedule/schedule.h"

enum { SHARED_LEVELS = 4 };
typedef struct SharedCosts {
    double write, read, lanes, flag, gamma;        // in s per byte, s per byte, ranks (>= 1), s, s per byte
    double line, queue, raise, reuse, local, call; // in s, s, s, s per byte, s per byte, s
    double remote;                                 // a factor; 0 or 1 if all memory is alike
    double streams; // ranks that copy at full speed at a time, whatever they copy; 0 for any number
    double single;  // in s
    double touch;   // in s per byte
    bool by_level;  // the machine gives a flag or a line for each level; otherwise all levels are as the innermost
    double outer_flag[SHARED_LEVELS - 1], outer_line[SHARED_LEVELS - 1]; // in s
} SharedCosts;

// Returns whether a schedule must have what is recorded by RecordOptions.local.
static inline bool shared_needs_local(const SharedCosts *k)
{
    return k->local > 0 || k->reuse > 0 || k->touch > 0 || k->call > 0;
}

// Returns whether a machine has the first five figures alone, which formulas know.
static inline bool shared_is_plain(const SharedCosts *k)
{
    return k->line == 0 && k->queue == 0 && k->raise == 0 && k->reuse == 0 && k->local == 0 && k->call == 0 &&
           k->remote <= 1 && k->streams == 0 && k->single == 0 && k->touch == 0 && !k->by_level;
}

// The terms; `flag` and `line` have one for each level. Operations pay those up to SHARED_CALL; SHARED_STREAMS is of a
// run as a whole, and reductions pay the last one.
typedef enum {
    SHARED_WRITE,
    SHARED_READ,
    SHARED_CROWD,
    SHARED_FLAG,
    SHARED_OUTER_FLAG = SHARED_FLAG + SHARED_LEVELS - 1, // of the last level
    SHARED_LINE,
    SHARED_OUTER_LINE = SHARED_LINE + SHARED_LEVELS - 1,
    SHARED_QUEUE,
    SHARED_RAISE,
    SHARED_REUSE,
    SHARED_LOCAL,
    SHARED_REMOTE,
    SHARED_SINGLE,
    SHARED_TOUCH,
    SHARED_CALL,
    SHARED_STREAMS,
    SHARED_GAMMA,
    SHARED_TERMS
} SharedTerm;
extern const TermKind shared_terms[SHARED_TERMS];
enum { SHARED_OPERATION_TERMS = SHARED_CALL + 1 };

// The most accesses that a model should replay: 2^28 take some ten seconds. The memory that each needs, about, in
// bytes.
enum { SHARED_MOST_ACCESSES = 1 << 28, SHARED_ACCESS_BYTES = 80 };

// Two sums of the same costs may differ by this much, relative to their size, if they were added in different orders.
// Such a difference does not make one of them later.
#define SHARED_ROUNDING 1e-12

// What an operation pays: the first n of these terms, and how often.
enum { SHARED_MOST_PAID = 5 };
typedef struct SharedPaid {
    int n;
    struct {
        SharedTerm term;
        int64_t n;
    } of[SHARED_MOST_PAID];
} SharedPaid;

static inline void shared_pay(SharedPaid *x, SharedTerm term, int64_t n)
{
    if (n > 0 || x->n == 0) {
        x->of[x->n].term = term;
        x->of[x->n++].n = n;
    }
}

static inline void shared_pay_if(SharedPaid *x, double figure, SharedTerm term, int64_t n)
{
    if (figure > 0)
        shared_pay(x, term, n);
}

// Returns the number of a level among the terms of `flag` and `line`.
static inline int shared_level(const SharedCosts *k, int level)
{
    return !k->by_level ? 0 : level < SHARED_LEVELS ? level : SHARED_LEVELS - 1;
}

// Returns the time until a rank sees a flag of another one, which is at this level.
static inline double shared_flag(const SharedCosts *k, int level)
{
    const int l = shared_level(k, level);
    return l > 0 ? k->outer_flag[l - 1] : k->flag;
}

// Pays for a line of a rank at this level.
static inline void shared_pay_line(SharedPaid *x, const SharedCosts *k, int level)
{
    const int l = shared_level(k, level);
    shared_pay_if(x, l > 0 ? k->outer_line[l - 1] : k->line, (SharedTerm)(SHARED_LINE + l), 1);
}

// Returns what an operation in shared memory pays. `found` says that an await finds its flag raised. `level` is that of
// the rank and of the one whose slot it reads or whose flag it awaits; beyond 0, the innermost, a slot is in the memory
// of another socket.
static inline SharedPaid shared_paid(const Op *op, const SharedCosts *k, bool found, int level)
{
    SharedPaid x = {0};
    const int64_t bytes = (int64_t)op->in.bytes, readers = op->to < 0 ? -op->to : op->to;
    switch ((int)op->kind) {
    case OP_WRITE:
        shared_pay(&x, SHARED_WRITE, bytes);
        shared_pay_if(&x, op->to ? k->reuse : 0, SHARED_REUSE, bytes);
        shared_pay_if(&x, op->to ? 0 : k->touch, SHARED_TOUCH, bytes);
        break;
    case OP_READ:
        if (readers <= k->lanes)
            shared_pay(&x, SHARED_READ, bytes);
        else
            shared_pay(&x, SHARED_CROWD, bytes * readers);
        shared_pay_line(&x, k, level);
        shared_pay_if(&x, k->queue, SHARED_QUEUE, readers - 1);
        shared_pay_if(&x, level > 0 ? k->remote - 1 : 0, SHARED_REMOTE, bytes);
        shared_pay_if(&x, op->to < 0 ? k->single : 0, SHARED_SINGLE, 1);
        break;
    case OP_AWAIT:
        if (!found)
            shared_pay(&x, (SharedTerm)(SHARED_FLAG + shared_level(k, level)), 1);
        else
            shared_pay_line(&x, k, level);
        break;
    case OP_RAISE:
        shared_pay_if(&x, k->raise, SHARED_RAISE, 1);
        break;
    case OP_LOCAL:
        shared_pay_if(&x, k->local, SHARED_LOCAL, bytes);
        break;
    case OP_CALL:
        shared_pay_if(&x, k->call, SHARED_CALL, 1);
        break;
    }
    return x;
}

// Returns what one of a term costs, in s.
static inline double shared_value(const SharedCosts *k, SharedTerm term)
{
    const double value[SHARED_TERMS] = {
        [SHARED_WRITE] = k->write,
        [SHARED_READ] = k->read,
        [SHARED_CROWD] = k->read / k->lanes,
        [SHARED_FLAG] = k->flag,
        [SHARED_LINE] = k->line,
        [SHARED_QUEUE] = k->queue,
        [SHARED_RAISE] = k->raise,
        [SHARED_REUSE] = k->reuse,
        [SHARED_LOCAL] = k->local,
        [SHARED_REMOTE] = k->remote > 1 ? k->read * (k->remote - 1) : 0,
        [SHARED_STREAMS] = k->streams > 0 ? k->read / k->streams : 0,
        [SHARED_SINGLE] = k->single,
        [SHARED_TOUCH] = k->touch,
        [SHARED_CALL] = k->call,
        [SHARED_GAMMA] = k->gamma,
    };
    if (term > SHARED_FLAG && term <= SHARED_OUTER_FLAG)
        return k->outer_flag[term - SHARED_FLAG - 1];
    if (term > SHARED_LINE && term <= SHARED_OUTER_LINE)
        return k->outer_line[term - SHARED_LINE - 1];
    return value[term];
}

// Returns what an operation that pays this takes, in s; `value` has what one of each term costs.
static inline double shared_paid_time(const SharedPaid *x, const double *value)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++)
        sum += (double)x->of[i].n * value[x->of[i].term];
    return sum;
}

// Returns the v of the rank that owns the queue of a raise or an await.
static inline int shared_queue(const Schedule *s, int v, const Op *op)
{
    return op->to == OWN_QUEUE ? v : peer_of(s, v, op->to, 0, 0);
}
