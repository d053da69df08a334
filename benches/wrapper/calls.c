/* Batches of calls that do nothing (to MPI_PROC_NULL), of pairs of clock reads, and of 10 us of work with a small message
 * around: medians, nanoseconds. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCHES 61
#define CALLS 20000
#define STEPS 400

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t ticks(void)
{
#if defined __x86_64__
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#else
    return (uint64_t)now();
#endif
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *all)
{
    qsort(all, BATCHES, sizeof *all, ascending);
    return all[BATCHES / 2];
}

int main(int argc, char **argv)
{
    double call[BATCHES], clock[BATCHES], work[BATCHES], a[8] = {0};
    volatile double x = 1.0;
    volatile uint64_t sum = 0;
    int batch, i, k, rank, size, turns = 1000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        turns = atoi(argv[1]);
    for (batch = 0; batch < BATCHES; batch++) {
        double t = now();
        for (i = 0; i < CALLS; i++)
            MPI_Send(a, 1, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
        call[batch] = (now() - t) / CALLS;
        t = now();
        for (i = 0; i < CALLS; i++) {
            sum += ticks();
            sum += ticks();
        }
        clock[batch] = (now() - t) / CALLS;
        MPI_Barrier(MPI_COMM_WORLD);
        t = now();
        for (i = 0; i < STEPS; i++) {
            for (k = 0; k < turns; k++)
                x = x * 1.0000001 + 1e-9;
            MPI_Sendrecv_replace(a, 8, MPI_DOUBLE, rank ^ 1, 1, rank ^ 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        work[batch] = (now() - t) / STEPS;
    }
    if (rank == 0)
        printf("%.3f %.3f %.1f %d\n", median(call), median(clock), median(work),
               BATCHES * (CALLS + STEPS + 1) + 2);
    MPI_Finalize();
    return 0;
}
