/*
 * broadcasts.c: two ways to tell everybody, called by two functions.
 *
 * Shows: a call-graph profile. foo calls the one-stage broadcast 250 times, bar 250 times, and bar the
 * two-stage broadcast 500 times; each caller has its own share of the one-stage broadcast. That one sends
 * everything from one processor: its h-relation is (12% | 7%) on 16 processors. The second superstep of the
 * two-stage broadcast is perfectly balanced: (100% | 100%).
 *
 *   cll cc -O2 -g examples/profile/broadcasts.c -o broadcasts
 *   cll run -n 16 --log ./broadcasts
 *   cll profile show broadcasts.cll.0.log --path imbalance:h-relation
 *
 * With p processors and n bytes: n(p-1)g + l in one stage, 2(n/p)(p-1)g + 2l in two.
 */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 16384

/* n and how often, on processor 0 until the others have got them. */
static int sizes[2] = { BYTES, 250 };
static unsigned char *data;
static int p, s, n, right = 1;

/* The first byte of the share that processor q hands on. */
static int share(int q)
{
    return (int)((long)n * q / p);
}

static void bcast_onestage(int root)
{
    if (s == root)
        for (int q = 0; q < p; q++)
            if (q != root)
                bsp_put(q, data, data, 0, n);
    bsp_sync(); /* one stage ends */
}

static void bcast_twostage(int root)
{
    if (s == root)
        for (int q = 0; q < p; q++)
            if (q != root)
                bsp_put(q, data + share(q), data, share(q), share(q + 1) - share(q));
    bsp_sync();
    for (int q = 0; q < p; q++)
        if (q != s)
            bsp_put(q, data + share(s), data, share(s), share(s + 1) - share(s));
    bsp_sync(); /* each has all */
}

/* Something new to tell: the root changes all bytes. */
static void news(int root, int round)
{
    if (s == root)
        for (int i = 0; i < n; i++)
            data[i] = (unsigned char)(i * 31 + round);
}

static void is_told(int round)
{
    for (int i = 0; i < n; i += n / 64 + 1)
        right &= data[i] == (unsigned char)(i * 31 + round);
}

static void foo(int times)
{
    for (int i = 0; i < times; i++) {
        news(0, i);
        bcast_onestage(0);
        is_told(i);
    }
}

static void bar(int times)
{
    for (int i = 0; i < times; i++) {
        news(0, i + 1);
        bcast_onestage(0);
        is_told(i + 1);
    }
    for (int i = 0; i < 2 * times; i++) {
        news(0, i + 2);
        bcast_twostage(0);
        is_told(i + 2);
    }
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(sizes, sizeof sizes);
    bsp_sync();
    bsp_get(0, sizes, 0, sizes, sizeof sizes);
    bsp_sync();
    n = sizes[0];
    data = calloc((size_t)n + 1, 1);
    int *verdicts = calloc((size_t)p, sizeof *verdicts);
    if (data == NULL || verdicts == NULL)
        bsp_abort("broadcasts: no memory for %d bytes\n", n);
    bsp_push_reg(data, n);
    bsp_push_reg(verdicts, p * (int)sizeof *verdicts);
    bsp_sync();
    foo(sizes[1]);
    bar(sizes[1]);
    bsp_put(0, &right, verdicts, s * (int)sizeof right, sizeof right);
    bsp_sync();
    if (s == 0) {
        for (int q = 0; q < p; q++)
            right &= verdicts[q];
        printf("broadcasts: %d bytes %d times in one stage and in two: %s\n", n, 2 * sizes[1],
               right ? "told" : "WRONG");
    }
    bsp_end();
    free(data);
    free(verdicts);
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (int i = 1; i < argc && i <= 2; i++)
        sizes[i - 1] = atoi(argv[i]);
    if (argc > 3 || sizes[0] < 0 || sizes[0] > 1 << 28 || sizes[1] < 0 || sizes[1] > 1000000) {
        fputs("usage: broadcasts [BYTES [TIMES]]\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
