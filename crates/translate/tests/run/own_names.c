/* std: c99 c11 gnu89; flags: -Wno-shadow */
#include <stdio.h>

static int before(int n)
{
#pragma cll a a[0]*n/P + a[1]*pid
    return n + 1;
#pragma cll end a
}

static int P = 4;

static int after(int n)
{
#pragma cll b b[0]*n/P
    n++;
#pragma cll end b
    {
        double P = 2.5;
        int pid = 7;
#pragma cll c c[0]*n/P + c[1]*pid
        n += (int)P + pid;
#pragma cll end c
    }
    if (n)
#pragma cll d d[0]*P + d[1]*pid
        n++;
#pragma cll end d
    else
        n--;
    return n + P;
}

int main(void)
{
    printf("%d %d\n", before(1), after(2));
    return 0;
}
