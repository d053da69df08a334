/* Heat conduction in a plate of N x N points, in MPI: each process has some of its rows, and tells its neighbours the
 * first and the last one in every step. The temperature of sin(pi x) sin(pi y) decays by one factor in each step, by
 * which the result is checked.
 *
 * Shows: messages that grow. A row of more than 505 points is larger than the eager limit of Open MPI (4,040 bytes):
 * from there on its sender waits for the receiver.
 *
 *   cll model examples/mpi/plate.c --libs=-lm --predict N=2000,P=2
 *   cll machine probe --mpi --out mine.toml
 *   cll why examples/mpi/plate.c --machine mine.toml -- -lm
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1:4:2

enum { STEPS = 4, LARGEST = 1200 };

static int N = 100;

static void step(const double *old, double *new, int rows)
{
    int i, j;
    for (i = 1; i <= rows; i++)
        for (j = 1; j < N - 1; j++)
            new[i * N + j] = old[i * N + j]
                + 0.125 * (old[(i - 1) * N + j] + old[(i + 1) * N + j] + old[i * N + j - 1] + old[i * N + j + 1]
                           - 4 * old[i * N + j]);
}

int main(int argc, char **argv)
{
    int me, p, wrong = 0, all;
    double *old, *new;
    size_t size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    size = (size_t)(LARGEST / p + 3) * LARGEST;
    old = malloc(sizeof *old * size);
    new = malloc(sizeof *new * size);

#pragma cll for (N = 100; N <= LARGEST; N += N / 4)
    {
        /* The rows 0 and N - 1 are the edge, and are 0. */
        int first = 1 + (N - 2) * me / p, rows = 1 + (N - 2) * (me + 1) / p - first, s, i, j;
        int above = me > 0 ? me - 1 : MPI_PROC_NULL, below = me < p - 1 ? me + 1 : MPI_PROC_NULL;
        double h = acos(-1.0) / (N - 1), decay, *other;

        for (i = 0; i <= rows + 1; i++)
            for (j = 0; j < N; j++)
                old[i * N + j] = new[i * N + j] = j == 0 || j == N - 1 ? 0 : sin((first + i - 1) * h) * sin(j * h);
#pragma cll sync plate plate[0] + plate[1]*N + plate[2]*N*N/P
        for (s = 0; s < STEPS; s++) {
            MPI_Sendrecv(&old[N], N, MPI_DOUBLE, above, 0, &old[(rows + 1) * N], N, MPI_DOUBLE, below, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(&old[rows * N], N, MPI_DOUBLE, below, 1, old, N, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            step(old, new, rows);
            other = old, old = new, new = other;
        }
#pragma cll end plate
        decay = pow(1 - 0.5 * (1 - cos(h)), STEPS);
        for (i = 1; i <= rows; i++)
            for (j = 1; j < N - 1; j++)
                wrong |= fabs(old[i * N + j] - decay * sin((first + i - 1) * h) * sin(j * h)) > 1e-9;
    }
#pragma cll end for
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (me == 0)
        printf("plate: %s\n", all ? "WRONG" : "the temperature decays as it should");
    free(old);
    free(new);
    MPI_Finalize();
    return all;
}
