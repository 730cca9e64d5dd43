// A rule of a library: for which calls of a collective it is, and what runs then. The tables of decisions/ are lists of
// rules, and so are rules files of all libraries; the first rule that fits a call decides. What a list does not ask
// about, its rules leave open.
#pragma once
#include "libraries/decide/library.h"
#include <stddef.h>

#define RULES_NO_LIMIT G_MAXINT64

// Both ends are included; it is empty if first > last.
typedef struct RuleRange {
    gint64 first, last; // RULES_NO_LIMIT: no upper end
} RuleRange;

// The numbers that rules compare. Those from SELECT_AVERAGE to SELECT_COUNT are MPICH's; see selection_call().
typedef enum {
    SELECT_RANKS,    // comm_size
    SELECT_PER_NODE, // comm_avg_ppn, rounded up
    SELECT_AVERAGE,  // avg_msg_size
    SELECT_TOTAL,    // total_msg_size
    SELECT_COUNT,    // count
    SELECT_BYTES, // Open MPI's and UCC's message size: rules_size() of a rules file, decide_bytes() or ucc_bytes() of
                  // the library's own decision
    SELECT_NODES, // UCC: nnodes
    SELECT_N_NUMBERS,
} SelectNumber;

// The questions that have the answer yes or no.
typedef enum {
    SELECT_INTER,       // comm_type=inter
    SELECT_POW2,        // comm_size=pow2
    SELECT_ONE_NODE,    // comm_size=node_comm_size
    SELECT_CONSECUTIVE, // is_node_consecutive
    SELECT_THREADED,    // is_multi_threaded
    SELECT_BELOW_POW2,  // count<pow2
    SELECT_COMMUTATIVE, // is_commutative
    SELECT_BUILT_IN,    // is_op_built_in
    SELECT_REGULAR,     // is_block_regular
    SELECT_IN_PLACE,    // is_sendbuf_inplace
    SELECT_N_FLAGS,
} SelectFlag;
enum { RULE_NO = 1, RULE_YES = 2, RULE_ANY = 3 }; // the answers with which a rule fits, as bits

// What a communicator is to the nodes, as bits.
typedef enum {
    SELECT_FLAT = 1,       // no two ranks share a node
    SELECT_PARENT = 2,     // some ranks share a node
    SELECT_NODE = 4,       // the library's own communicator of the ranks of one node
    SELECT_NODE_ROOTS = 8, // the library's own communicator of one rank of each node
    SELECT_ANY_HIERARCHY = 15
} SelectHierarchy;

// The conditions of a rule.
typedef struct RuleWhen {
    union {
        RuleRange numbers[SELECT_N_NUMBERS];
        struct {
            RuleRange ranks, per_node, average, total, count, bytes, nodes;
        };
    };
    guint8 flags[SELECT_N_FLAGS]; // RULE_NO, RULE_YES or both
    guint8 hierarchies;           // of SelectHierarchy
} RuleWhen;

// A call, as far as conditions ask about it.
typedef struct RuleCall {
    int collective; // as the rules of the list number it
    gint64 numbers[SELECT_N_NUMBERS];
    gboolean flags[SELECT_N_FLAGS];
    SelectHierarchy hierarchy;
} RuleCall;

// How a way through a tree of MPICH ends.
typedef enum {
    ROW_RUNS,    // an algorithm runs, if its needs are met
    ROW_NOTHING, // nothing is found, and the call ends the program
    ROW_REFUSED, // the collective cannot be asked for a condition, and the call ends the program
    ROW_COMM,    // the program ends when the communicator is made
    ROW_TREE,    // of a file of another kind than that of algorithms: nothing is found, and that one decides
} SelectionEnd;

#define RULE_ELSEWHERE "another layer"

typedef struct LibraryRule {
    int collective; // of Open MPI and UCC: below TUNED_COLLECTIVES; of MPICH: of selection_collectives, -1 for all
    RuleWhen when;
    size_t line; // of the file
    // Open MPI and UCC
    int id;                            // of the algorithm; 0 stands for the fixed decision
    int fanout, segment, max_requests; // what is passed to it, 0 for nothing; `segment` in bytes
    int set; // rules of one set were written under one number of ranks, or for one level; sets count from 0 in a file
    gboolean disabled; // the library does not know the algorithm, and skips the rule
    gboolean dead;     // no call reaches it
    int level;         // of a file for HAN: a HanLevel
    // MPICH. In a file for HAN, `runs` is a component, and `params` is HAN's algorithm, "" for its default. In one for UCC,
    // `runs` is RULE_ELSEWHERE if tl/ucp does not serve the calls, otherwise NULL, and `params` is the section's name.
    SelectionEnd end;
    const char *runs;                         // static: "MPIR_Bcast_intra_binomial"; NULL unless the end is ROW_RUNS
    const struct LibraryAlgorithm *algorithm; // of a file, and of ROW_RUNS; it may be one of another collective: the
                                              // call then ends the program
    const char *params;                       // "k=4 tree_type=1"; "" for none
} LibraryRule;

// Returns the conditions that all calls fit, and those that ask for ranks and Open MPI's bytes.
RuleWhen rule_all(void);
RuleWhen rule_when(RuleRange ranks, RuleRange bytes);
// Returns TRUE if the conditions hold for a call.
gboolean rule_fits(const RuleWhen *when, const RuleCall *call);
// Returns the first of the rules (LibraryRule) that a call fits; NULL if there is none.
const LibraryRule *rule_find(const GArray *rules, const RuleCall *call);
// Returns a call of `ranks` ranks that are on several nodes, several of them on one.
RuleCall rule_call(int collective, int ranks, gint64 bytes);
