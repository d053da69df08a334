/*
 * parts.c: quicksort in unequal parts that nest.
 *
 * Shows: parts whose sizes depend on the data. All processors of a machine agree on a pivot, give each
 * other what is smaller and what is not, and divide the machine in proportion to both; each part
 * goes on by itself, to its own depth, until it is one processor, which sorts. In the end the
 * processors' elements are in order. Each level is two supersteps: samples by bsp_sync, and elements,
 * of which every processor gets one message from each other one, by bsp_oblsync.
 *
 *   cll cc -O2 examples/pub/parts.c -o parts
 *   cll run -n 7 ./parts 1000000
 *
 * Any number of processors and of elements.
 */
#include <pub.h>
#include <stdlib.h>
#include <string.h>

static int *mine; /* this processor's elements */
static long count;

static void *memory(size_t bytes)
{
    void *all = malloc(bytes + 1);
    if (!all)
        bsp_abort(NULL, "parts: no memory for %lu bytes\n", (unsigned long)bytes);
    return all;
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* The median of up to three elements of each processor, and where it cuts the machine: a processor
 * number from 1 to p-1. */
static int pivot(t_bsp *machine, int *cut)
{
    int p = bsp_nprocs(machine), samples = 0, i, *all = memory(3 * (size_t)p * sizeof(int));
    long smaller[2] = { 0, count }, sums[2] = { 0, 0 };
    int value, own = count < 3 ? (int)count : 3, picked[3];
    for (i = 0; i < own; i++)
        picked[i] = mine[count * (2 * i + 1) / 6];
    for (i = 0; i < p; i++)
        bsp_send(machine, i, picked, own * (int)sizeof(int));
    bsp_sync(machine);
    for (i = 0; i < p; i++) {
        t_bspmsg *message = bsp_getmsg(machine, i);
        memcpy(all + samples, bspmsg_data(message), (size_t)bspmsg_size(message));
        samples += bspmsg_size(message) / (int)sizeof(int);
    }
    qsort(all, (size_t)samples, sizeof *all, ascending);
    value = samples > 0 ? all[samples / 2] : 0;
    free(all);
    for (i = 0; i < count; i++)
        smaller[0] += mine[i] < value;
    for (i = 0; i < p; i++)
        bsp_send(machine, i, smaller, sizeof smaller);
    bsp_oblsync(machine, p);
    for (i = 0; i < p; i++) {
        long *found = bspmsg_data(bsp_getmsg(machine, i));
        sums[0] += found[0];
        sums[1] += found[1];
    }
    *cut = sums[1] > 0 ? (int)((double)sums[0] / (double)sums[1] * p + 0.5) : 1;
    *cut = *cut < 1 ? 1 : *cut > p - 1 ? p - 1 : *cut;
    return value;
}

static void sort(t_bsp *machine)
{
    int p = bsp_nprocs(machine), me = bsp_pid(machine), bounds[2], cut, value, i, low;
    long smaller = 0, from, to, k;
    t_bsp part;
    int *parted;
    if (p == 1) {
        qsort(mine, (size_t)count, sizeof *mine, ascending);
        return;
    }
    value = pivot(machine, &cut);
    parted = memory((size_t)count * sizeof *parted);
    for (k = 0, from = 0, to = count; k < count; k++) {
        if (mine[k] < value)
            parted[from++] = mine[k];
        else
            parted[--to] = mine[k];
    }
    smaller = from;
    /* A share of what is smaller to each below the cut, of the rest to each other one. */
    for (i = 0; i < p; i++) {
        low = i < cut;
        from = low ? smaller * i / cut : smaller + (count - smaller) * (i - cut) / (p - cut);
        to = low ? smaller * (i + 1) / cut
                 : smaller + (count - smaller) * (i + 1 - cut) / (p - cut);
        bsp_hpsend(machine, i, parted + from, (int)((to - from) * (long)sizeof *parted));
    }
    bsp_oblsync(machine, p);
    for (count = 0, i = 0; i < p; i++)
        count += bspmsg_size(bsp_getmsg(machine, i)) / (int)sizeof *mine;
    free(mine);
    mine = memory((size_t)count * sizeof *mine);
    for (k = 0, i = 0; i < p; i++) {
        t_bspmsg *message = bsp_getmsg(machine, i);
        memcpy(mine + k, bspmsg_data(message), (size_t)bspmsg_size(message));
        k += bspmsg_size(message) / (int)sizeof *mine;
    }
    free(parted);
    bounds[0] = cut;
    bounds[1] = p;
    bsp_partition(machine, &part, 2, bounds);
    sort(&part);
    bsp_done(&part);
    (void)me;
}

static void add(double *sum, double *x, double *y, int *nbytes)
{
    sum[0] = x[0] + y[0];
    sum[1] = x[1] + y[1];
    (void)nbytes;
}

int main(int argc, char **argv)
{
    t_bsp all;
    int p, me, right = 1, ends[2], i;
    long n, k;
    double before[2] = { 0, 0 }, after[2] = { 0, 0 }, longest = 0;
    unsigned state;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &all);
    p = bsp_nprocs(&all);
    me = bsp_pid(&all);
    n = argc > 1 ? atol(argv[1]) : 100000;
    if (n < 0 || n > 1L << 28)
        bsp_abort(&all, "parts: a number of elements from 0 to %ld\n", 1L << 28);
    count = n * (me + 1) / p - n * me / p;
    mine = memory((size_t)count * sizeof *mine);
    for (k = 0, state = 17u + (unsigned)me; k < count; k++) {
        state = state * 1664525u + 1013904223u;
        /* More small ones than large ones, so that halves would not be fair. */
        mine[k] = (int)((double)(state >> 8) / (1 << 24) * (state >> 8));
        before[1] += mine[k];
    }
    before[0] = (double)count;
    bsp_reduce(&all, add, before, before, sizeof before);

    sort(&all);

    for (k = 0; k < count; k++) {
        after[1] += mine[k];
        right &= k == 0 || mine[k - 1] <= mine[k];
    }
    after[0] = (double)count;
    bsp_reduce(&all, add, after, after, sizeof after);
    right &= before[0] == after[0] && before[1] == after[1];
    /* Each tells all after it its last element, if it has one, and how many it has. */
    ends[0] = (int)count;
    ends[1] = count > 0 ? mine[count - 1] : 0;
    for (i = 0; i < p; i++)
        bsp_send(&all, i, ends, sizeof ends);
    bsp_oblsync(&all, p);
    for (i = 0; i < p; i++) {
        int *other = bspmsg_data(bsp_getmsg(&all, i));
        longest = other[0] > longest ? other[0] : longest;
        if (i < me && other[0] > 0 && count > 0)
            right &= other[1] <= mine[0];
    }
    if (!right)
        printf("parts: processor %d: WRONG\n", me);
    if (me == 0 && right)
        printf("parts: %ld elements on %d processors, in order; the most on one %.2f of the mean\n",
               n, p, n > 0 ? longest * p / (double)n : 0);
    bsplib_done();
    free(mine);
    return right ? 0 : 1;
}
