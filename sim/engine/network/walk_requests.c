// The requests of a run that finds rounds.
#include "engine/network/walk_requests.h"

int32_t walk_new_req(RoundWalker *w, WalkReq x)
{
    int32_t i = w->free_req;
    if (i < 0) {
        g_array_append_val(w->pool, x);
        return (int32_t)w->pool->len - 1;
    }
    w->free_req = req(w, i)->older;
    *req(w, i) = x;
    return i;
}

void walk_drop_req(RoundWalker *w, int32_t i)
{
    req(w, i)->older = w->free_req;
    w->free_req = i;
}

// ---- Completion -----------------------------------------------------------------------------------------------------

void walk_complete(RoundWalker *w, int32_t i)
{
    WalkReq *r = req(w, i);
    WalkRank *k = &w->ranks[r->owner];
    r->done = true;
    k->pending--;
    if (r->awaited ? --k->missing == 0 : k->wait == WALK_THROTTLED)
        w->runnable[w->n_runnable++] = r->owner;
    if (!r->awaited && k->wait == WALK_THROTTLED)
        k->wait = 0; // it looks again
}

// ---- Offers: under rendezvous, a heap by the order in which receives were posted ------------------------------------

static int32_t meld(RoundWalker *w, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (req(w, b)->turn < req(w, a)->turn) {
        const int32_t x = a;
        a = b;
        b = x;
    }
    req(w, b)->queue = req(w, a)->child;
    req(w, a)->child = b;
    return a;
}

// Takes the first offer out of the heap, and returns the heap that is left.
int32_t walk_without_first(RoundWalker *w, int32_t first)
{
    int32_t pairs = -1, heap = -1;
    for (int32_t a = req(w, first)->child; a >= 0;) { // two by two from the left, and then all from the right
        const int32_t b = req(w, a)->queue, next = b >= 0 ? req(w, b)->queue : -1;
        req(w, a)->queue = -1;
        if (b >= 0)
            req(w, b)->queue = -1;
        const int32_t both = meld(w, a, b);
        req(w, both)->queue = pairs;
        pairs = both;
        a = next;
    }
    while (pairs >= 0) {
        const int32_t next = req(w, pairs)->queue;
        req(w, pairs)->queue = -1;
        heap = meld(w, heap, pairs);
        pairs = next;
    }
    return heap;
}

static void list_busy(RoundWalker *w, int v)
{
    if (!w->ranks[v].listed)
        w->busy[w->n_busy++] = v;
    w->ranks[v].listed = true;
}

// Offers v's first send to its receiver, if that has posted the receive.
void walk_offer(RoundWalker *w, int v)
{
    const int32_t i = w->ranks[v].first_send;
    if (i < 0 || req(w, i)->offered)
        return;
    const int peer = req(w, i)->peer, d = walk_place_of(w, v, peer);
    const int32_t match = channels_first(w->channels, d, walk_name_of(w, v, peer));
    if (match < 0)
        return;
    WalkReq *x = req(w, i);
    x->match = match;
    x->turn = req(w, match)->turn;
    x->queue = x->child = -1;
    x->offered = true;
    w->ranks[d].offers = meld(w, w->ranks[d].offers, i);
    list_busy(w, d);
}

// ---- Requests -------------------------------------------------------------------------------------------------------

static int32_t issue(RoundWalker *w, int v, bool receives, int peer, uint64_t bytes)
{
    WalkRank *r = &w->ranks[v];
    const int32_t i = walk_new_req(w, (WalkReq){.bytes = (int64_t)bytes,
                                                .owner = v,
                                                .peer = peer,
                                                .older = r->newest,
                                                .next = -1,
                                                .queue = -1,
                                                .child = -1,
                                                .match = -1,
                                                .receives = receives});
    r->newest = i;
    r->pending++;
    return i;
}

void walk_post(RoundWalker *w, int v, int peer, uint64_t bytes)
{
    const int32_t i = issue(w, v, true, peer, bytes);
    req(w, i)->turn = w->posted++;
    if (w->transfer != TRANSFER_RENDEZVOUS) {
        const int32_t mail = channels_first(w->channels, v, peer);
        if (mail >= 0 && !req(w, mail)->receives) { // it has come
            channels_take(w->channels, v, peer);
            walk_drop_req(w, mail);
            walk_complete(w, i);
            return;
        }
    }
    channels_add(w->channels, v, peer, i);
    if (w->transfer != TRANSFER_RENDEZVOUS)
        return;
    const int from = walk_place_of(w, v, peer);
    const int32_t head = w->ranks[from].first_send;
    if (head >= 0 && walk_place_of(w, from, req(w, head)->peer) == v &&
        walk_name_of(w, from, req(w, head)->peer) == peer)
        walk_offer(w, from);
}

void walk_send(RoundWalker *w, int v, int peer, uint64_t bytes)
{
    const int32_t i = issue(w, v, false, peer, bytes);
    WalkRank *r = &w->ranks[v];
    if (r->first_send < 0)
        r->first_send = i;
    else
        req(w, r->last_send)->next = i;
    r->last_send = i;
    if (r->first_send != i)
        return;
    if (w->transfer == TRANSFER_RENDEZVOUS)
        walk_offer(w, v);
    else
        list_busy(w, v);
}
