#include "planted.h"
#include "api/backend.h"
#include "api/communicate.h"
#include <stdio.h>
#include <string.h>

// ---- The language ---------------------------------------------------------------------------------------------------

static const Planted *planted; // the program that run_planted runs, because an entry cannot carry it

// Returns the number at *at, and moves *at behind it and behind one ':' or ','.
static int64_t number_at(const char **at)
{
    char *end;
    const int64_t x = g_ascii_strtoll(*at, &end, 10);
    *at = *end == ':' || *end == ',' ? end + 1 : end;
    return x;
}

static void run_word(const Coll *c, const char *word)
{
    const char *at = word + 1;
    const int64_t first = number_at(&at);
    const Slice s = coll_scratch(c, strchr("srSRx", *word) ? (size_t)number_at(&at) : (size_t)first);
    const int x = (int)first;
    switch (*word) {
    case 's':
        coll_send(c, x, s);
        break;
    case 'r':
        coll_recv(c, x, s);
        break;
    case 'S':
        coll_isend(c, x, s);
        break;
    case 'R':
        coll_irecv(c, x, s);
        break;
    case 'x': {
        const int from = (int)number_at(&at);
        coll_sendrecv(c, x, s, from, coll_scratch(c, (size_t)number_at(&at)));
        break;
    }
    case 'g':
        coll_reduce(c, s, s, s);
        break;
    case 'w':
        coll_wait(c, x);
        break;
    case 'W':
        coll_waitall(c, x);
        break;
    case 't':
        coll_throttle(c, x);
        break;
    default:
        g_assert_not_reached();
    }
}

static void run_planted(const Coll *c)
{
    g_auto(GStrv) words = g_strsplit(planted->text[c->rank], " ", -1);
    for (char **w = words; *w; w++)
        if (**w)
            run_word(c, *w);
}

CollAlgorithm planted_entry(const Planted *x)
{
    planted = x;
    return (CollAlgorithm){.collective = COLL_BARRIER, .name = "planted", .run = run_planted, .peers = x->peers};
}

Schedule *planted_record(const Planted *x, int64_t cut_off)
{
    const CollAlgorithm a = planted_entry(x);
    const Coll c = {.p = x->p, .root = x->root, .elem = 1};
    return schedule_record(&(Operation){&a, c, 0}, &(RecordOptions){.cut_off = cut_off});
}

char *planted_text(const Planted *x)
{
    GString *s = g_string_new(NULL);
    for (int rank = 0; rank < x->p; rank++)
        g_string_append_printf(s, "%s%d: %s", rank ? " | " : "", rank, x->text[rank]);
    return g_string_free(s, FALSE);
}

// ---- Random programs ------------------------------------------------------------------------------------------------

// A random program while it is being written.
typedef struct Author {
    GRand *random;
    GString *text[MAX_RANKS];
    // Of each rank: the numbers of its pending requests, how many they are, and how many requests it has issued.
    int pending[MAX_RANKS][64], n_pending[MAX_RANKS], issued[MAX_RANKS];
    bool repeats; // the text will be repeated, so it must not wait for a request by its number
    // Of each rank: the peer of a send or receive that was held back, or -1. It becomes a sendrecv together with the
    // next transfer if that goes the other way, and is written by itself otherwise.
    int held_to[MAX_RANKS], held_from[MAX_RANKS], held_bytes[MAX_RANKS];
} Author;

// Returns a random number in 0 .. n-1.
static int roll(Author *w, int n)
{
    return g_rand_int_range(w->random, 0, n);
}

// Writes what was held back, as a transfer by itself.
static void flush_held(Author *w, int r)
{
    if (w->held_to[r] >= 0)
        g_string_append_printf(w->text[r], "s%d:%d ", w->held_to[r], w->held_bytes[r]);
    if (w->held_from[r] >= 0)
        g_string_append_printf(w->text[r], "r%d:%d ", w->held_from[r], w->held_bytes[r]);
    w->held_to[r] = w->held_from[r] = -1;
}

// Writes something between two transfers at random: mostly nothing, else a reduction, a wait or a throttle.
static void write_between(Author *w, int r)
{
    const int what = roll(w, 12), n = w->n_pending[r];
    if (what > 3)
        return;
    flush_held(w, r);
    if (what == 0) {
        g_string_append_printf(w->text[r], "g%d ", roll(w, 4));
    } else if (what == 1 && n && !w->repeats) {
        const int i = roll(w, n);
        g_string_append_printf(w->text[r], "w%d ", w->pending[r][i]);
        memmove(w->pending[r] + i, w->pending[r] + i + 1, (size_t)(n - i - 1) * sizeof(int));
        w->n_pending[r]--;
    } else if (what == 2 && n) {
        const int i = w->repeats || roll(w, 2) ? 0 : roll(w, n);
        g_string_append_printf(w->text[r], "W%d ", i ? w->pending[r][i] : 0);
        w->n_pending[r] = i;
    } else if (what == 3) {
        g_string_append_printf(w->text[r], "t%d ", 1 + roll(w, 4));
    }
}

// Writes one end of a transfer to the text of rank r: blocking, as a request, as part of a sendrecv, or held back.
static void write_half(Author *w, int r, bool sends, int peer, int bytes)
{
    write_between(w, r);
    int *held = sends ? w->held_to : w->held_from;
    const int *other = sends ? w->held_from : w->held_to;
    if (other[r] >= 0) { // what is held goes the other way: make one sendrecv of both
        if (sends)
            g_string_append_printf(w->text[r], "x%d:%d,%d:%d ", peer, bytes, other[r], w->held_bytes[r]);
        else
            g_string_append_printf(w->text[r], "x%d:%d,%d:%d ", other[r], w->held_bytes[r], peer, bytes);
        w->held_to[r] = w->held_from[r] = -1;
        return;
    }
    flush_held(w, r);
    if (roll(w, 4) == 0) {
        held[r] = peer;
        w->held_bytes[r] = bytes;
        return;
    }
    if (roll(w, 4) == 0) {
        g_string_append_printf(w->text[r], "%c%d:%d ", sends ? 's' : 'r', peer, bytes);
        return;
    }
    g_string_append_printf(w->text[r], "%c%d:%d ", sends ? 'S' : 'R', peer, bytes);
    w->pending[r][w->n_pending[r]++] = w->issued[r]++;
}

// Writes the transfers one after the other, each to the texts of both its ranks. So every transfer only needs earlier
// ones, and no rank gets stuck.
Planted planted_random(GRand *random)
{
    Author w = {.random = random, .repeats = g_rand_boolean(random)};
    Planted x = {.p = 2 + roll(&w, 5), .peers = (CollPeers)roll(&w, PEERS_ABSOLUTE + 1)};
    x.root = roll(&w, x.p);
    for (int r = 0; r < x.p; r++) {
        w.text[r] = g_string_new(NULL);
        w.held_to[r] = w.held_from[r] = -1;
    }
    for (int n = 1 + roll(&w, w.repeats ? 6 : 20); n > 0; n--) {
        const int from = roll(&w, x.p), to = (from + 1 + roll(&w, x.p - 1)) % x.p, bytes = roll(&w, 4);
        write_half(&w, from, true, to, bytes);
        write_half(&w, to, false, from, bytes);
    }
    for (int r = 0; r < x.p; r++)
        flush_held(&w, r);
    for (int n = w.repeats ? 1 + roll(&w, 5) : 0, r = 0; n && r < x.p; r++) {
        const gsize body = w.text[r]->len;
        for (int i = 0; i < n; i++)
            g_string_append_len(w.text[r], w.text[r]->str, (gssize)body);
    }
    for (int r = 0; r < x.p; r++) {
        if (w.n_pending[r] && roll(&w, 4))
            g_string_append_printf(w.text[r], "W%s", roll(&w, 2) ? " g2" : "");
        x.text[r] = g_string_free(w.text[r], FALSE);
    }
    return x;
}

Planted planted_symmetric(GRand *random)
{
    Author w = {.random = random};
    const bool xor = roll(&w, 3) == 0, begins = roll(&w, 4) == 0;
    Planted x = {.p = xor? 2 << roll(&w, 2) : 2 + roll(&w, 5), .peers = xor? PEERS_XOR : PEERS_SHIFT};
    x.root = xor? 0 : roll(&w, x.p);
    for (int r = 0; r < x.p; r++)
        w.text[r] = g_string_new(NULL);
    for (int n = begins ? roll(&w, 4) : 0; n > 0; n--) {
        const int from = roll(&w, x.p), to = (from + 1 + roll(&w, x.p - 1)) % x.p, bytes = roll(&w, 4);
        g_string_append_printf(w.text[from], "s%d:%d g%d ", to, bytes, roll(&w, 2));
        g_string_append_printf(w.text[to], "r%d:%d ", from, bytes);
    }
    int far[4], bytes[4], reduced[4];
    const int n = 1 + roll(&w, 4), rounds = begins ? 70 : 1 + roll(&w, 6);
    for (int i = 0; i < n; i++)
        far[i] = 1 + roll(&w, x.p - 1), bytes[i] = roll(&w, 4), reduced[i] = roll(&w, 4);
    for (int r = 0; r < x.p; r++) {
        for (int i = 0; i < n * rounds; i++) {
            const int d = far[i % n], to = xor? r ^ d : (r + d) % x.p, from = xor? to : (r + x.p - d) % x.p;
            g_string_append_printf(w.text[r], "x%d:%d,%d:%d g%d ", to, bytes[i % n], from, bytes[i % n],
                                   reduced[i % n]);
        }
        x.text[r] = g_string_free(w.text[r], FALSE);
    }
    return x;
}

Planted planted_tail(GRand *random)
{
    Author w = {.random = random};
    const bool xor = roll(&w, 3) == 0;
    Planted x = {.p = xor? 8 : 4 + roll(&w, 6), .peers = xor? PEERS_XOR : PEERS_SHIFT};
    const int far = 1 + roll(&w, x.p - 1), bytes = roll(&w, 4);
    for (int r = 0; r < x.p; r++) {
        w.text[r] = g_string_new(NULL);
        g_string_append_printf(w.text[r], "g%d ", roll(&w, 9));
    }
    for (int n = 1 + roll(&w, x.p); n > 0; n--) {
        const int from = roll(&w, x.p), to = (from + 1 + roll(&w, x.p - 1)) % x.p, sent = roll(&w, 4);
        g_string_append_printf(w.text[from], "s%d:%d ", to, sent);
        g_string_append_printf(w.text[to], "r%d:%d g%d ", from, sent, roll(&w, 2));
    }
    for (int r = 0; r < x.p; r++) {
        const int to = xor? r ^ far : (r + far) % x.p, from = xor? to : (r + x.p - far) % x.p;
        for (int i = 0; i < 70; i++)
            g_string_append_printf(w.text[r], "x%d:%d,%d:%d ", to, bytes, from, bytes);
        x.text[r] = g_string_free(w.text[r], FALSE);
    }
    return x;
}

// ---- Ranks that are alike -------------------------------------------------------------------------------------------

// Ranks that are equal modulo n are of one kind. Writes a message from each rank of kind `from` to the rank at distance
// `far`, which is of kind `to`; `back` is the distance the other way. The two kinds may be the same.
static void write_like(Author *w, int from, int to, int far, int back)
{
    const int bytes = roll(w, 4), how = roll(w, 4);
    write_between(w, from);
    if (from == to) {
        if (how == 0) {
            g_string_append_printf(w->text[from], "x%d:%d,%d:%d ", far, bytes, back, bytes);
            return;
        }
        g_string_append_printf(w->text[from], how == 1 ? "S%d:%d R%d:%d " : "R%3$d:%4$d S%1$d:%2$d ", far, bytes, back,
                               bytes);
        w->pending[from][w->n_pending[from]++] = w->issued[from]++;
        w->pending[from][w->n_pending[from]++] = w->issued[from]++;
        return;
    }
    write_between(w, to);
    if (how == 0) { // an exchange
        const int other = roll(w, 4);
        g_string_append_printf(w->text[from], "x%d:%d,%d:%d ", far, bytes, far, other);
        g_string_append_printf(w->text[to], "x%d:%d,%d:%d ", back, other, back, bytes);
        return;
    }
    g_string_append_printf(w->text[from], "%c%d:%d ", how == 1 ? 's' : 'S', far, bytes);
    if (how > 1)
        w->pending[from][w->n_pending[from]++] = w->issued[from]++;
    const bool waits = roll(w, 3) == 0;
    g_string_append_printf(w->text[to], "%c%d:%d ", waits ? 'r' : 'R', back, bytes);
    if (!waits)
        w->pending[to][w->n_pending[to]++] = w->issued[to]++;
}

// Returns rank v's text, made of one in which peers are distances from v (or masks, if peers are xor). The result
// counts v from the root. Free with g_free.
static char *text_at(const Planted *x, const char *text, int v)
{
    GString *s = g_string_new(NULL);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word; word++) {
        int n[4] = {0}, count = sscanf(*word + (**word != 0), "%d:%d,%d:%d", &n[0], &n[1], &n[2], &n[3]);
        for (int i = 0; i < count && strchr("sSrRx", **word); i += 2) {
            const int peer = x->peers == PEERS_XOR ? v ^ n[i] : (v + n[i]) % x->p;
            n[i] = (peer + x->root) % x->p;
        }
        static const char *const forms[] = {"%c", "%c%d", "%c%d:%d", NULL, "%c%d:%d,%d:%d"};
        if (**word) {
            g_string_append_printf(s, forms[MAX(count, 0)], **word, n[0], n[1], n[2], n[3]);
            g_string_append_c(s, ' ');
        }
    }
    return g_string_free(s, FALSE);
}

Planted planted_mirrored(GRand *random)
{
    Author w = {.random = random, .repeats = g_rand_boolean(random)};
    const bool xor = roll(&w, 3) == 0;
    const int n = xor? 1 << roll(&w, 3) : 1 + roll(&w, 4),
              p = xor? MAX(n << (1 + roll(&w, 2)), 2) : n *(2 + roll(&w, 3));
    Planted x = {.p = p, .peers = xor? PEERS_XOR : PEERS_SHIFT};
    x.root = xor? 0 : roll(&w, p);
    for (int i = 0; i < n; i++) {
        w.text[i] = g_string_new(NULL);
        w.held_to[i] = w.held_from[i] = -1;
    }
    const int messages = 1 + roll(&w, w.repeats ? 6 : 20);
    for (int k = 0; k < messages; k++) {
        const int from = roll(&w, n), far = 1 + roll(&w, p - 1);
        write_like(&w, from, xor? (from ^ far) % n : (from + far) % n, far, xor? far : p - far);
    }
    for (int k = w.repeats ? roll(&w, 5) : 0, i = 0; k && i < n; i++) {
        const gsize body = w.text[i]->len;
        for (int again = 0; again < k; again++)
            g_string_append_len(w.text[i], w.text[i]->str, (gssize)body);
    }
    for (int i = 0; i < n; i++)
        if (w.n_pending[i] && roll(&w, 4))
            g_string_append_printf(w.text[i], "W%s", roll(&w, 2) ? " g2" : "");
    for (int v = 0; v < p; v++)
        x.text[(v + x.root) % p] = text_at(&x, w.text[v % n]->str, v);
    for (int i = 0; i < n; i++)
        g_string_free(w.text[i], TRUE);
    return x;
}
