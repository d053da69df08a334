/* Heat conduction in a rod, in MPI: each process has a part of it, and tells its neighbours the ends after
 * every step. With fixed ends the temperature of sin(pi x) decays by one factor in each step, by which the
 * result is checked on all processes.
 *
 * Shows: parallel MPI, procs, a term that shrinks with P and one that does not; P that was not run.
 *
 *   cll model examples/mpi/heat.c --libs=-lm --predict N=2000000,P=4 --hold-out N=1048576
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1:8:2

enum { STEPS = 20, LARGEST = 1 << 20 };

/* The first of the inner points of process `me`, of N in all. */
static int first(int N, int p, int me)
{
    return (int)((long long)N * me / p);
}

static void step(const double *old, double *new, int n)
{
    int i;
    for (i = 1; i <= n; i++)
        new[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
}

int main(int argc, char **argv)
{
    int N = 4096, me, p, wrong = 0, all;
    double *old, *new;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    old = malloc(sizeof *old * (LARGEST / p + 3));
    new = malloc(sizeof *new * (LARGEST / p + 3));

#pragma cll for (N = 4096; N <= LARGEST; N *= 2)
    {
        int from = first(N, p, me), n = first(N, p, me + 1) - from, s, i;
        int left = me > 0 ? me - 1 : MPI_PROC_NULL;
        int right = me < p - 1 ? me + 1 : MPI_PROC_NULL;
        double h = acos(-1.0) / (N + 1), decay, *other;

        for (i = 0; i <= n + 1; i++)
            old[i] = new[i] = sin((from + i) * h);
#pragma cll sync heat heat[0] + heat[1]*N/P
        for (s = 0; s < STEPS; s++) {
            MPI_Sendrecv(&old[1], 1, MPI_DOUBLE, left, 0, &old[n + 1], 1, MPI_DOUBLE, right, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(&old[n], 1, MPI_DOUBLE, right, 1, &old[0], 1, MPI_DOUBLE, left, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            step(old, new, n);
            other = old, old = new, new = other;
        }
#pragma cll end heat
        decay = pow(1 - 0.5 * (1 - cos(h)), STEPS);
        for (i = 1; i <= n; i++)
            wrong |= fabs(old[i] - decay * sin((from + i) * h)) > 1e-12;
    }
#pragma cll end for
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (me == 0)
        printf("heat: %s\n", all ? "WRONG" : "the temperature decays as it should");
    free(old);
    free(new);
    MPI_Finalize();
    return all;
}
