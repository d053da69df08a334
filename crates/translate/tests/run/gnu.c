/* std: gnu11; loose */
#include <stdio.h>
static void call(int n)
{
#pragma cll f f[0]*n
    if (n)
        return (void)n;
    __builtin_trap();
#pragma cll end f
}

static int f(int n)
{
    int nested(int x)
    {
#pragma cll a a[0]*x
        return x + n;
#pragma cll end a
    }
    int y = ({
        int q = 1;
#pragma cll b b[0]*q
        q += 2;
#pragma cll end b
        q;
    });
    static void *table[] = { &&one, &&two };
    if (n > 1)
        return nested(y);
    goto *table[n];
one:
#pragma cll c c[0]
    y++;
#pragma cll end c
two:
    for (;;) {
        __label__ out;
        int array[n + 1];
#pragma cll d d[0]*sizeof(array)
        array[n] = y;
        if (array[n])
            goto out;
#pragma cll end d
    out:
        break;
    }
    __asm__ goto ("" : : : : three);
    {
        y += 7;
    three:
#pragma cll e e[0]
        y += 1;
#pragma cll end e
    }
    return y;
}
int main(void)
{
    call(1);
    printf("%d %d %d\n", f(0), f(1), f(2));
    return 0;
}
