/*
 * pipeline.c: Horner's rule, a coefficient on each processor, for a stream of numbers.
 *
 * Shows: oblivious synchronisation where a barrier would cost most. Processor i gets a block of numbers
 * x with partial values from i-1, takes one step y = y x + c[i], and hands both on. It waits for that one
 * message alone, so blocks follow each other through the processors: w per block, once p blocks
 * are on the way, instead of the w + l that a barrier would make of it.
 *
 *   cll cc -O2 examples/pub/pipeline.c -o pipeline
 *   cll run -n 4 ./pipeline 1000 256     # blocks, numbers in each
 *
 * Any number of processors.
 */
#include <math.h>
#include <pub.h>
#include <stdlib.h>

static double coefficient(int i) { return 1.0 / (1 + i) - 0.25; }

static double number(long k) { return (double)(k % 1000) / 1000 - 0.5; }

/* What has come through all p processors, beside the rule at once. */
static int is_right(const double *xy, long first, int size, int p)
{
    int i, k, right = 1;
    for (k = 0; k < size; k++) {
        double x = number(first + k), y = 0;
        for (i = 0; i < p; i++)
            y = y * x + coefficient(i);
        right &= xy[2 * k] == x && fabs(xy[2 * k + 1] - y) < 1e-12;
    }
    return right;
}

int main(int argc, char **argv)
{
    t_bsp all;
    int p, me, blocks, size, step, block, k, right = 1;
    double *own, *xy, time;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &all);
    p = bsp_nprocs(&all);
    me = bsp_pid(&all);
    blocks = argc > 1 ? atoi(argv[1]) : 200;
    size = argc > 2 ? atoi(argv[2]) : 64;
    if (blocks < 1 || size < 1 || size > 1 << 20)
        bsp_abort(&all, "pipeline: at least 1 block, of 1 to %d numbers\n", 1 << 20);
    if (!(own = malloc(2 * (size_t)size * sizeof *own)))
        bsp_abort(&all, "pipeline: no memory for %d numbers\n", 2 * size);

    time = bsp_time();
    for (step = 0; step < blocks + p - 1; step++) {
        /* In this superstep processor i has block step-i; who is out of work is in step all the same. */
        block = step - me;
        if (block >= 0 && block < blocks) {
            xy = me > 0 ? bspmsg_data(bsp_getmsg(&all, 0)) : own;
            for (k = 0; k < size; k++) {
                if (me == 0) {
                    xy[2 * k] = number((long)block * size + k);
                    xy[2 * k + 1] = 0;
                }
                xy[2 * k + 1] = xy[2 * k + 1] * xy[2 * k] + coefficient(me);
            }
            if (me + 1 < p)
                bsp_send(&all, me + 1, xy, 2 * size * (int)sizeof *xy);
            else
                right &= is_right(xy, (long)block * size, size, p);
        }
        bsp_oblsync(&all, me > 0 && block + 1 >= 0 && block + 1 < blocks);
    }
    time = bsp_time() - time;
    if (me == p - 1)
        printf("pipeline: %d blocks of %d numbers through %d processors, %s; %.1f us a block\n",
               blocks, size, p, right ? "right" : "WRONG", 1e6 * time / blocks);
    bsplib_done();
    free(own);
    return right ? 0 : 1;
}
