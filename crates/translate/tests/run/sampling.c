/* std: c99 c11 gnu89 */
#include <stdio.h>

struct size { int n; };

static void vla(int n)
{
    int i, N = 77;
    for (i = 0; i < 2; i++) {
#pragma cll for (N = 1; N < 5; N *= 2)
        double a[4];
        a[N - 1] = N;
#pragma cll f f[0]*N + f[1]*i
        printf("%g ", a[N - 1] * n);
#pragma cll end f
        if (N == 2 && i == 1)
            break;
#pragma cll end for
        printf("after %d %g\n", N, a[0]);
    }
}

static void nested(void)
{
    unsigned long n = 0;
    double x = 0, y = 0;
    struct size s;
#pragma cll for ordered (n = 1, x = 0.5; \
        n < 4 /* few */; n++, x += 0.25)
#pragma cll for (s.n = 0; s.n < (int)n; s.n++)
#pragma cll g g[0]*n*s.n*x
    y += x * (double)n + s.n;
#pragma cll end g
#pragma cll end for
    printf("[%g] ", y);
#pragma cll end for
    printf("%d %g\n", (int)n, x);
}

static void none(int m)
{
    int n = 5;
#pragma cll for (n = 10; n < m; n++)
    printf("n %d\n", n);
#pragma cll end for
    if (m)
#pragma cll for (n = 0; n < 2; n++)
        printf("in a branch\n");
#pragma cll end for
    else
        printf("not there\n");
    switch (m) {
    case 3:
#pragma cll for (n = 0; n < 2; n++)
        printf("in a switch\n");
#pragma cll end for
        break;
    }
    printf("%d\n", n > 5);
}

int main(void)
{
    vla(1);
    nested();
    none(3);
    return 0;
}
