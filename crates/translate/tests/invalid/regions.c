#pragma cll outside outside[0]
int f(int n)
{
#pragma cll a a[0]
    n++;
#pragma cll b b[0]
#pragma cll end a
#pragma cll end b
#pragma cll end c
    if (n)
#pragma cll d d[0]
        n++;
        n++;
#pragma cll end d
    if (n)
#pragma cll e e[0]
        if (n)
            n++;
#pragma cll end e
        else
            n--;
    if (n) {
#pragma cll g g[0]
        n++;
    }
#pragma cll end g
    do
        n++;
#pragma cll h h[0]
    while (n < 3);
#pragma cll end h
    n = n +
#pragma cll i i[0]
        1;
#pragma cll end i
    f(n,
#pragma cll j j[0]
      0);
#pragma cll end j
#pragma cll k k[0]
    return n;
}
