/*
 * Two processors on MPI: supersteps, and the same pattern by hand in the same processes, in batches, in
 * turn. Prints a line per figure and batch:
 *
 *     FIGURE SIZE BATCH REFERENCE OURS       nanoseconds for one superstep
 *
 * Receivers read what they got, and senders rewrite what they send, in the reference and in ours.
 */
#define _GNU_SOURCE
#include <bsp.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 2 << 20, WARM_UP = 3 };

static int batches, me, you;
static uint64_t *from, *to;
static int size;
static volatile uint64_t sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void pin(int k)
{
    cpu_set_t may, one;
    sched_getaffinity(0, sizeof may, &may);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &may) && k-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

static void rewrite(int i)
{
    for (int k = 0; k < size / 8; k++)
        from[k] = (uint64_t)(i + k);
}

static void look(void)
{
    uint64_t sum = 0;
    for (int k = 0; k < size / 8; k++)
        sum += to[k];
    sink = sum;
}

static void sizes_by_hand(void)
{
    int out[2] = {size, size}, in[2];
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    sink = (uint64_t)in[you];
}

static void sync_by_hand(int i)
{
    (void)i;
    sizes_by_hand();
}

static void sync_ours(int i)
{
    (void)i;
    bsp_sync();
}

static void put_by_hand(int i)
{
    MPI_Request requests[2];
    rewrite(i);
    sizes_by_hand();
    MPI_Irecv(to, size, MPI_BYTE, you, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, size, MPI_BYTE, you, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    look();
}

static void put_ours(int i)
{
    rewrite(i);
    bsp_put(you, from, to, 0, size);
    bsp_sync();
    look();
}

static void hpput_ours(int i)
{
    rewrite(i);
    bsp_hpput(you, from, to, 0, size);
    bsp_sync();
    look();
}

/* Computation that touches no memory, for so many rounds. */
static long rounds;

static void compute(void)
{
    double x = 1.0;
    for (long i = 0; i < rounds; i++)
        x = x * 0.999999 + 0.5;
    sink = (uint64_t)x;
}

static void hpput_alone(int i)
{
    (void)i;
    bsp_hpput(you, from, to, 0, size);
    bsp_sync();
}

static void compute_alone(int i)
{
    (void)i;
    compute();
    bsp_sync();
}

static void hpput_and_compute(int i)
{
    (void)i;
    bsp_hpput(you, from, to, 0, size);
    compute();
    bsp_sync();
}

/* The same by hand: what of it can lie behind computation with this MPI. */
static void send_and_compute(int computes)
{
    MPI_Request requests[2];
    sizes_by_hand();
    MPI_Irecv(to, size, MPI_BYTE, you, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, size, MPI_BYTE, you, 0, MPI_COMM_WORLD, &requests[1]);
    if (computes)
        compute();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void send_by_hand(int i)
{
    (void)i;
    send_and_compute(0);
}

static void send_and_compute_by_hand(int i)
{
    (void)i;
    send_and_compute(1);
}

static double batch(void (*superstep)(int), int iterations)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = now();
    for (int i = 0; i < iterations; i++)
        superstep(i);
    return (now() - begin) / iterations;
}

/* As many as take a few milliseconds, the same for both processors. */
static int iterations_of(void (*superstep)(int))
{
    double one = batch(superstep, 10), all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int iterations = (int)(4e6 / all) + 1;
    return iterations;
}

static void figure(const char *name, void (*reference)(int), void (*ours)(int))
{
    int iterations = iterations_of(reference);
    for (int i = -WARM_UP; i < batches; i++) {
        double by_hand = batch(reference, iterations), own = batch(ours, iterations);
        if (i >= 0 && me == 0)
            printf("%s %d %d %.1f %.1f\n", name, size, i, by_hand, own);
    }
}

/* What lies behind a computation of twice the time, in percent: `hidden SIZE BATCH BY-HAND HPPUT`. */
static void overlap(void)
{
    int iterations = iterations_of(hpput_alone);
    double transfer = batch(hpput_alone, iterations), most = 0;
    MPI_Allreduce(&transfer, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    rounds = 100000;
    double begin = now();
    compute();
    double each = (now() - begin) / (double)rounds;
    rounds = (long)(2 * most / each);
    MPI_Bcast(&rounds, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    for (int i = -WARM_UP; i < batches; i++) {
        double put = batch(hpput_alone, iterations), work = batch(compute_alone, iterations);
        double both = batch(hpput_and_compute, iterations);
        double sent = batch(send_by_hand, iterations);
        double both_by_hand = batch(send_and_compute_by_hand, iterations);
        if (i >= 0 && me == 0)
            printf("hidden %d %d %.1f %.1f\n", size, i, 100 * (sent + work - both_by_hand) / sent,
                   100 * (put + work - both) / put);
    }
}

int main(int argc, char **argv)
{
    batches = argc > 1 ? atoi(argv[1]) : 31;
    bsp_begin(2);
    me = bsp_pid();
    you = 1 - me;
    pin(me);
    from = aligned_alloc(4096, LARGEST);
    to = aligned_alloc(4096, LARGEST);
    memset(from, 1, LARGEST);
    memset(to, 1, LARGEST);
    bsp_push_reg(to, LARGEST);
    bsp_sync();
    size = 0;
    figure("sync", sync_by_hand, sync_ours);
    size = 8;
    figure("put", put_by_hand, put_ours);
    size = 4096;
    figure("put", put_by_hand, put_ours);
    size = LARGEST;
    figure("put", put_by_hand, put_ours);
    figure("hpput", put_by_hand, hpput_ours);
    overlap();
    bsp_end();
    return 0;
}
