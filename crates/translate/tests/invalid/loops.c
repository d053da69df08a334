struct s { int n, m; };
int g(int *);
int f(int n, int m)
{
    struct s s;
#pragma cll for (int k = 0; k < 3; k++)
#pragma cll end for
#pragma cll for (n = 0; n < 3)
#pragma cll end for
#pragma cll for n = 0; n < 3; n++
#pragma cll end for
#pragma cll for (n = 0; n < 3; n++) more
#pragma cll end for
#pragma cll for (n = 0; n < m; n++)
    m++;
#pragma cll end for
#pragma cll for (n = 0; n < m; n++)
    n += 2;
#pragma cll end for
#pragma cll for (s.n = 0; s.n < m; s.n++)
    s.m = 1;
    g(&s.n);
#pragma cll end for
#pragma cll for (n = 0; n < m; n++)
#pragma cll for (m = 0; m < n; m++)
    g(0);
#pragma cll end for
#pragma cll end for
    if (n)
#pragma cll for (n = 0; n < 3; n++)
        g(0);
        g(0);
#pragma cll end for
#pragma cll f f[0]*n
#pragma cll for (n = 0; n < 3; n++)
    g(0);
#pragma cll end f
#pragma cll end for
    return n;
}
