/* std: c99 c11 gnu89; automatic */
#include <stdio.h>
#include <stdlib.h>

#define FOREACH(i, n) for (i = 0; i < (n); i++)
#define TEST(name) static int name(void)

struct grid { int rows, cols; double *cell; };

static int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

static double sum(double *a, size_t n, double scale)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++)
        s += a[i];
    while (n > 4) { s *= scale; n /= 2; }
    return s;
}

static void fill(struct grid *g)
{
    int i, j;
    for (i = 0; i < g->rows; i++) for (j = 0; j < g->cols; j++) g->cell[i * g->cols + j] = i + j;
}

static int old(a, k) int k; char *a;
{
    int c = 0;
    for (; *a; a++) c += k;
    return c;
}

TEST(seven) { return 7; }

static int early(int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (i == 3)
            return fib(i);
    return -1;
}

static int jumps(int n)
{
    int i = 0, c = 0;
again:
    while (i < n) { i++; if (i % 2) goto again; c++; }
    do { c++; } while (0);
    if (n > 100)
        goto inside;
    for (i = 0; i < 3; i++) {
        c += 2;
    inside:
        c++;
    }
    switch (c) {
    case 1:
        for (i = 0; i < 2; i++) case 2: c++;
        break;
    default:
        FOREACH(i, n) c++;
        if (n) for (i = n; i > 0; i--) c++; else while (c < n) c++;
    }
    return c;
}

int main(int argc, char **argv)
{
    double a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    struct grid g;
    (void)argv;
    g.rows = 2; g.cols = 3 + argc;
    g.cell = malloc(sizeof(double) * (size_t)(g.rows * g.cols));
    fill(&g);
    printf("%g %g\n", sum(a, 8, 0.5), g.cell[5]);
#pragma cll both uses(argc) both[0] + both[1]*argc
    printf("%d %d %d\n", fib(5), even(6), old("abc", 2));
#pragma cll end both
#pragma cll found auto
    for (argc = 0; argc < g.rows; argc++) printf("%d\n", early(argc * 4));
#pragma cll end found
    printf("%d %d\n", seven(), jumps(6));
    free(g.cell);
    return 3;
}
