int f(int n)
{
    if (n > 3)
        goto in;
#pragma cll a a[0]
    n++;
in:
    n++;
#pragma cll end a
    switch (n) {
#pragma cll b b[0]
    case 1:
        n++;
#pragma cll end b
    }
    switch (n) {
    case 3:
#pragma cll c c[0]
        n++;
    default:
        n--;
#pragma cll end c
    }
#pragma cll for (n = 0; n < 3; n++)
again:
    f(1);
#pragma cll end for
    if (n)
        goto again;
    void *to = &&there;
#pragma cll d d[0]
there:
    goto *to;
#pragma cll end d
    goto *to;
}
