/* std: c99 c11 gnu89; flags: -Wno-dangling-else */
#include <stdio.h>

static int count;
static void work(int n) { count += n; printf("%d ", n); }

static void chain(int n)
{
    if (n == 0)
#pragma cll a a[0]*n
        work(0);
#pragma cll end a
    else if (n == 1)
#pragma cll b b[0]*n
    {
        work(1);
    }
#pragma cll end b
    else
#pragma cll c c[0]*n
        if (n == 2)
            work(2);
        else
            work(3);
#pragma cll end c
}

static void dangling(int n)
{
    if (n > 0)
        if (n > 1)
#pragma cll d d[0]*n
            work(n);
#pragma cll end d
        else
            work(-n);
}

static void loops(int n)
{
    int i = 0;
    for (i = 0; i < n; i++)
#pragma cll e e[0]*i
        work(i);
#pragma cll end e
    while (i-- > 0)
#pragma cll f f[0]*i
        if (i % 2)
            work(i);
#pragma cll end f
    do
#pragma cll g g[0]*i
        work(++i);
#pragma cll end g
    while (i < 2);
    do {
        #pragma cll h h[0]
        work(9);
        #pragma cll end h
    } while (0);
}

static void labels(int n)
{
    switch (n) {
    case 0:
#pragma cll i i[0]
        work(10);
        work(11);
#pragma cll end i
        break;
    case 1:
#pragma cll j j[0]
        work(12);
        break;
#pragma cll end j
    default:
        if (n == 2)
        again:
#pragma cll k k[0]*n
            work(n--);
#pragma cll end k
        if (n == 1)
            goto again;
    }
    if (n == 7)
        switch (n) case 7:
#pragma cll l l[0]
            work(70);
#pragma cll end l
}

static void empty(int n)
{
    if (n)
#pragma cll m m[0]
#pragma cll end m
        work(1);
    else
#pragma cll o o[0]
#pragma cll p p[0]
        work(2);
#pragma cll end p
#pragma cll end o
#pragma cll q q[0]
#pragma cll end q
}

static void entered(int n)
{
    int tries = 0;
    if (n == 0)
        work(80);
    else if (n == 1) {
add:
#pragma cll r r[0]*tries
        work(81);
#pragma cll end r
    } else if (n == 2 && tries++ == 0)
        goto add;
    else
#pragma cll s s[0]
        work(82);
#pragma cll end s
}

int main(void)
{
    int i;
    for (i = 0; i < 4; i++)
        chain(i);
    for (i = 0; i < 3; i++)
        dangling(i);
    loops(3);
    for (i = 0; i < 8; i++)
        labels(i);
    empty(0);
    empty(1);
    for (i = 0; i < 4; i++)
        entered(i);
    if (count > 0) {work(9);
#pragma cll t t[0]
        work(10);
#pragma cll end t
    }
    if (count)
#pragma cll report all
        printf("reported\n");
    else
        printf("not\n");
#pragma cll report a b
    return count % 100;
}
