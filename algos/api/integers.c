// Powers and logarithms.
#include "api/integers.h"

int log2_floor(int x)
{
    return 31 - __builtin_clz((unsigned)x);
}
int log2_ceil(int x)
{
    return x <= 1 ? 0 : log2_floor(x - 1) + 1;
}
int pow2_floor(int x)
{
    return 1 << log2_floor(x);
}
bool is_pow2(int x)
{
    return (x & (x - 1)) == 0;
}

int pow_floor(int x, int k)
{
    int64_t power = 1;
    while (power * k <= x)
        power *= k;
    return (int)power;
}
