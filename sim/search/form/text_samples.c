#include "search/form/text_samples.h"
#include "registry/registry.h"
#include "search/form/text_count.h"
#include "shapes/symmetry.h"

int text_sample_rank(const Operation *op, int i)
{
    const int p = op->c.p, from_root[TEXT_SAMPLES] = {0, 1, p / 2, p - 1};
    return (op->c.root + from_root[i]) % p;
}

int text_samples(const Operation *op, int n)
{
    const CollAlgorithm *a = op->algorithm;
    // A vector may be cut into blocks of different lengths.
    return a->same_as == same_always && !op->c.counts && !collectives[a->collective].vector ? 1 : n;
}

bool text_samples_alike(const Operation *a, const Operation *b)
{
    bool same = true;
    for (int i = 0; i < TEXT_SAMPLES && same; i++) {
        const int rank = text_sample_rank(a, i);
        TextCount one, two;
        same = text_count(a, rank, &one) && text_count(b, rank, &two);
        for (int way = 0; way < TEXT_WAYS && same; way++)
            same = one.messages[way] == two.messages[way];
    }
    return same;
}

bool text_samples_send(const Operation *op)
{
    bool sends = false;
    for (int i = 0; i < TEXT_SAMPLES && !sends; i++) {
        TextCount count;
        sends = text_count(op, text_sample_rank(op, i), &count) && count.bytes[TEXT_OUT] > 0;
    }
    return sends;
}
