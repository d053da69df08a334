#include <math.h>
#include <mpi.h>
#include <stdio.h>
#define ROWS 500
static double x[ROWS], r[ROWS], p[ROWS + 2], q[ROWS];

static double dot(const double *a, const double *b, MPI_Comm comm)
{
    double own = 0, all;
    int i;
    for (i = 0; i < ROWS; i++)
        own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}

static int solve(MPI_Comm comm)
{
    int rank, size, i, step;
    double rho, before, alpha;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (i = 0; i < ROWS; i++)
        p[i + 1] = r[i] = 4 - (i > 0 || rank > 0) - (i + 1 < ROWS || rank + 1 < size);
    rho = dot(r, r, comm);
    for (step = 0; step < 100 && sqrt(rho) > 1e-9; step++) {
        MPI_Sendrecv(p + 1, 1, MPI_DOUBLE, left, 0, p + ROWS + 1, 1, MPI_DOUBLE, right, 0, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(p + ROWS, 1, MPI_DOUBLE, right, 1, p, 1, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);
        for (i = 0; i < ROWS; i++)
            q[i] = 4 * p[i + 1] - p[i] - p[i + 2];
        alpha = rho / dot(p + 1, q, comm);
        for (i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i + 1];
            r[i] -= alpha * q[i];
        }
        before = rho;
        rho = dot(r, r, comm);
        for (i = 0; i < ROWS; i++)
            p[i + 1] = r[i] + rho / before * p[i + 1];
    }
    for (i = 0; i < ROWS; i++)
        if (fabs(x[i] - 1) > 1e-6)
            MPI_Abort(MPI_COMM_WORLD, 1);
    return step;
}

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2 ? 0 : MPI_UNDEFINED, 0, &half);
    if (half != MPI_COMM_NULL)
        steps = solve(half);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", steps);
    MPI_Finalize();
    return 0;
}
