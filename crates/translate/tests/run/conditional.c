/* std: c99 c11 gnu89 */
#include <stdio.h>
#define FAST 1

#if 0
#pragma cll never this is not even a formula
it is no C
#endif

static int f(int n)
{
    int sum = n;
#if FAST
#pragma cll a a[0]*n
    if (n > 2)
#else
#pragma cll b b[0]*n
    while (sum-- > 2)
#endif
        sum += 2;
#if FAST
#pragma cll end a
#else
#pragma cll end b
#endif
    switch (n) {
    case 1:
#pragma cll c c[0]
#ifdef SLOW
        sum++;
        break;
#else
        if (sum)
            break;
#endif
        sum += 50;
#pragma cll end c
    }
    return sum;
}

#ifdef SLOW
static int g(int n)
#else
static int g(long n)
#endif
{
#pragma cll d d[0]
    return (int)n;
#pragma cll end d
}

int main(void)
{
    printf("%d %d %d\n", f(1), f(3), g(2));
    return 0;
}
