#pragma cll parallel OpenMP
void f(int n)
{
    int i, j, v;
#pragma omp for
#pragma cll a a[0]
    for (i = 0; i < n; i++)
        n++;
#pragma cll end a
#pragma omp parallel for collapse(2)
    for (i = 0; i < n; i++) {
#pragma cll b b[0]*n
        for (j = 0; j < n; j++)
            n++;
#pragma cll end b
    }
#pragma omp sections
    {
#pragma cll c c[0]
#pragma omp section
        n++;
#pragma cll end c
    }
#pragma omp atomic
#pragma cll d d[0]
    n++;
#pragma cll end d
#pragma GCC ivdep
#pragma cll e e[0]
    for (;;) ;
#pragma cll end e
    v = ({
#pragma cll g g[0]
        n + 1;
#pragma cll end g
    });
#ifdef X
#pragma cll h h[0]
#else
#pragma cll i i[0]
#endif
    n++;
#ifdef X
#pragma cll end h
#endif
#pragma cll end i
#ifdef Y
#pragma cll k k[0]*n
#else
#pragma cll k k[0]*n*n
#endif
    n++;
#pragma cll end k
#pragma cll m uses(n) m[0]
    n++;
#pragma cll end m
#pragma cll m uses(v) m[0]
    n++;
#pragma cll end m
}
