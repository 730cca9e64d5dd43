// The messages that one rank sends and receives, in the order in which it posts them: what a library posted in a call,
// and what a text posts. The programs order_mpich and order_ompi note the library's, each in its own way, and compare
// them with the text's by these functions.
#pragma once
#include "registry/entry.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { POST_WAITS, POST_RETURNS, POST_EITHER /* half of an exchange, or unknown */ } OrderWay;

// A send or a receive.
typedef struct OrderPost {
    bool sends;
    int peer;     // ORDER_ANY if the library receives from any rank
    uint64_t len; // bytes; ORDER_UNKNOWN if the library does not say
    OrderWay way;
} OrderPost;
#define ORDER_ANY     (-1)
#define ORDER_UNKNOWN UINT64_MAX

// Puts the posts of the text that runs if the view calls the algorithm into `posts`, a GArray of OrderPost. Of an
// exchange, the receive comes first, as in both libraries. Returns the algorithm that runs; NULL if none can.
const CollAlgorithm *order_text(const CollAlgorithm *algorithm, const Coll *view, GArray *posts);

// Removes the empty messages. Some texts send them where the library sends nothing, or the reverse.
void order_drop_empty(GArray *posts);

// Sorts the messages, to compare them without their order.
void order_sort(GArray *posts);

// Returns true if the library's post is that of the text. A receive may have room for more than arrives.
bool order_post_equal(const OrderPost *library, const OrderPost *text);

// Returns true if both lists have the same posts in the same order.
bool order_equal(const GArray *library, const GArray *text);

// Appends the posts to s: s for a send, r for a receive, after an i if it returns at once, then the peer and the length,
// such as " is3:8 r1:8". Of a list of more than `most` posts, only the first are written.
void order_describe(GString *s, const GArray *posts, guint most);
