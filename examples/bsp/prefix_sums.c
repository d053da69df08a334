/*
 * prefix_sums.c: element i becomes the sum of elements 0 to i, for n numbers in p blocks.
 *
 * Shows: two ways to do the same, between which g and l decide. Each processor adds up its block; then
 * it needs the sum of all blocks before its own. Directly: everybody puts its sum to all after it, (p-1) g
 * + l. In log2(p) rounds, in which the distance doubles: log2(p) (g + l). Then each adds what it has got.
 *
 *   cll cc -O2 examples/bsp/prefix_sums.c -o prefix_sums
 *   cll run -n 4 ./prefix_sums 1000000
 *
 * Any number of processors.
 */
#include <bsp.h>
#include <stdint.h>
#include <stdlib.h>

static int n = 1000000; /* on processor 0 until the others have got it */
static int right = 1;

/* The sum of `value` on all processors before this one. */
static int64_t directly(int64_t value)
{
    int p = bsp_nprocs(), s = bsp_pid();
    int64_t before = 0, *all = calloc(p, sizeof *all);
    bsp_push_reg(all, p * (int)sizeof *all);
    bsp_sync();
    for (int q = s + 1; q < p; q++)
        bsp_put(q, &value, all, s * (int)sizeof value, sizeof value);
    bsp_sync();
    for (int q = 0; q < s; q++)
        before += all[q];
    bsp_pop_reg(all);
    bsp_sync();
    free(all);
    return before;
}

static int64_t in_rounds(int64_t value)
{
    int p = bsp_nprocs(), s = bsp_pid();
    int64_t sum = value, received = 0;
    bsp_push_reg(&received, sizeof received);
    bsp_sync();
    for (int distance = 1; distance < p; distance *= 2) {
        /* Here sum is that of the `distance` blocks that end with this one. */
        if (s + distance < p)
            bsp_put(s + distance, &sum, &received, 0, sizeof sum);
        bsp_sync();
        if (s >= distance)
            sum += received;
    }
    bsp_pop_reg(&received);
    bsp_sync();
    return sum - value;
}

static int64_t element(long i) { return i % 1000 - 300; }

/* The sum of elements 0 to i. */
static int64_t expected(long i)
{
    long whole = (i + 1) / 1000, rest = (i + 1) % 1000;
    return whole * (999 * 500 - 300 * 1000) + rest * (rest - 1) / 2 - 300 * rest;
}

static double seconds(int64_t (*before)(int64_t), int64_t *x, long first, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = element(first + i);
    bsp_sync();
    double begin = bsp_time();
    for (int i = 1; i < count; i++)
        x[i] += x[i - 1];
    int64_t offset = before(count > 0 ? x[count - 1] : 0);
    for (int i = 0; i < count; i++)
        x[i] += offset;
    double passed = bsp_time() - begin;
    for (int i = 0; i < count; i++)
        right &= x[i] == expected(first + i);
    return passed;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), content;
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();

    long first = (long)n * s / p, count = (long)n * (s + 1) / p - first;
    int64_t *x = malloc((count + 1) * sizeof *x);
    if (x == NULL)
        bsp_abort("prefix_sums: no memory for %ld numbers\n", count);
    double one = seconds(directly, x, first, (int)count);
    double more = seconds(in_rounds, x, first, (int)count);
    if (right)
        bsp_send(0, NULL, NULL, 0); /* one message from each who is content */
    bsp_sync();
    if (s == 0) {
        bsp_qsize(&content, NULL);
        right = content == p;
        printf("prefix_sums: %d numbers, %d processors: directly %.1f us, in rounds %.1f us\n", n, p,
               1e6 * one, 1e6 * more);
        puts(right ? "prefix_sums: right" : "prefix_sums: WRONG");
    }
    free(x);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2 || n < 0 || n > 100000000) {
        fputs("usage: prefix_sums [NUMBERS], at most 100000000\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
