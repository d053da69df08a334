/* Two processes begin together, in turns behind an MPI_Barrier by hand and behind a `sync`. Prints for both, in
 * nanoseconds: how far apart they began (median, nine of ten), and what it took since the last of them had come
 * (median); then how many passages there were. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma cll parallel MPI

#define MOST 20000

static double came[2][MOST], began[2][MOST];
static double others_came[2][MOST], others_began[2][MOST];

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return 1e9 * at.tv_sec + at.tv_nsec;
}

static int ascending(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void tell(int how, int count)
{
    static double apart[MOST], took[MOST];
    int i;
    for (i = 0; i < count; i++) {
        double last = came[how][i] > others_came[how][i] ? came[how][i] : others_came[how][i];
        double far = began[how][i] - others_began[how][i];
        apart[i] = far < 0 ? -far : far;
        took[i] = (far < 0 ? others_began[how][i] : began[how][i]) - last;
    }
    qsort(apart, count, sizeof *apart, ascending);
    qsort(took, count, sizeof *took, ascending);
    printf("%.0f %.0f %.0f ", apart[count / 2], apart[count * 9 / 10], took[count / 2]);
}

int main(int argc, char **argv)
{
    int i, me, count = argc > 1 ? atoi(argv[1]) : MOST;
    volatile int work = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (count > MOST)
        count = MOST;
    for (i = 0; i < count; i++) {
        int k;
        /* Neither is always the first. */
        for (k = 0; k < 500 + (me ? 1 : -1) * (i % 100) * 4; k++)
            work += k;
        came[0][i] = now();
        MPI_Barrier(MPI_COMM_WORLD);
        began[0][i] = now();
        for (k = 0; k < 500 - (me ? 1 : -1) * (i % 100) * 4; k++)
            work += k;
        came[1][i] = now();
#pragma cll sync step step[0]
        began[1][i] = now();
#pragma cll end step
    }
    if (me == 0) {
        MPI_Recv(others_came, 2 * MOST, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(others_began, 2 * MOST, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        tell(0, count);
        tell(1, count);
        printf("%d\n", count);
    } else {
        MPI_Send(came, 2 * MOST, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Send(began, 2 * MOST, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
