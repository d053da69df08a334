/*
 * task_farm.c: Mandelbrot's set by rows, dealt out to whoever is ready.
 *
 * Shows: work whose time is not known, in supersteps without a barrier. In a superstep a worker sends
 * what it has done and asks for more; the farmer waits for one message of each worker, and answers
 * all of them. Each gets a share of what is left, so shares shrink, and nobody waits
 * long for the last.
 * Farmer and workers are two parts: the workers' part adds up what they have done by itself.
 *
 *   cll cc -O2 examples/pub/task_farm.c -o task_farm
 *   cll run -n 4 ./task_farm 400 60      # rows, columns
 *
 * Any number of processors; one alone does all by itself.
 */
#include <pub.h>
#include <stdlib.h>
#include <string.h>

static int rows = 200, columns = 120;

/* How many steps of z = z*z + c stay within a circle of radius 2. */
static int steps(int row, int column)
{
    double re = -2.2 + 3.0 * column / columns, im = -1.2 + 2.4 * row / rows, x = 0, y = 0, next;
    int n;
    for (n = 0; n < 1000 && x * x + y * y < 4; n++) {
        next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
    }
    return n;
}

static long of_row(int row)
{
    long sum = 0;
    int column;
    for (column = 0; column < columns; column++)
        sum += steps(row, column);
    return sum;
}

static void add(long *sum, long *x, long *y, int *nbytes)
{
    *sum = *x + *y;
    (void)nbytes;
}

struct work {
    int first, count; /* rows */
    int goes_on;      /* 0 when there are none left for anybody */
};

/* Deals out all rows; every superstep answers each worker. */
static long farm(t_bsp *all)
{
    int p = bsp_nprocs(all), next = 0, goes_on = 1, i;
    long sum = 0;
    while (goes_on) {
        goes_on = next < rows;
        for (i = 1; i < p; i++) {
            struct work work = { next, (rows - next + 2 * p - 3) / (2 * p - 2), goes_on };
            next += work.count;
            bsp_send(all, i, &work, sizeof work);
        }
        bsp_oblsync(all, 0);     /* the workers have it */
        bsp_oblsync(all, p - 1); /* and have done it */
        for (i = 0; i < p - 1; i++)
            sum += *(long *)bspmsg_data(bsp_getmsg(all, i));
    }
    return sum;
}

static long work(t_bsp *all)
{
    struct work work;
    long own = 0;
    do {
        long sum = 0;
        int i;
        bsp_oblsync(all, 1);
        memcpy(&work, bspmsg_data(bsp_getmsg(all, 0)), sizeof work);
        for (i = 0; i < work.count; i++)
            sum += of_row(work.first + i);
        own += sum;
        bsp_send(all, 0, &sum, sizeof sum);
        bsp_oblsync(all, 0);
    } while (work.goes_on);
    return own;
}

int main(int argc, char **argv)
{
    t_bsp all, part;
    int p, me, bounds[2], row, right;
    long sum = 0, own, expected = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &all);
    p = bsp_nprocs(&all);
    me = bsp_pid(&all);
    rows = argc > 1 ? atoi(argv[1]) : rows;
    columns = argc > 2 ? atoi(argv[2]) : columns;
    if (rows < 1 || columns < 1)
        bsp_abort(&all, "task_farm: at least 1 row and 1 column\n");
    if (p == 1)
        for (row = 0; row < rows; row++)
            sum += of_row(row);
    else
        own = sum = me == 0 ? farm(&all) : work(&all);

    bounds[0] = p > 1 ? 1 : 0;
    bounds[1] = p;
    bsp_partition(&all, &part, 2, bounds);
    if (p > 1 && me > 0)
        bsp_reduce(&part, add, &own, &sum, sizeof sum);
    bsp_done(&part);
    for (row = me; row < rows; row += p)
        expected += of_row(row);
    bsp_reduce(&all, add, &expected, &expected, sizeof expected);
    right = sum == expected;
    if (!right)
        printf("task_farm: processor %d: WRONG: %ld, not %ld\n", me, sum, expected);
    if (me == 0 && right)
        printf("task_farm: %d rows on %d processors, right: %ld steps\n", rows, p, sum);
    bsplib_done();
    return right ? 0 : 1;
}
