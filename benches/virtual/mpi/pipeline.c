/* A pipeline: blocks of numbers go through all processes, each of which works on them: `pipeline BLOCKS NUMBERS`. Prints
 * the seconds until all have ended. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "whole_cores.h"

int main(int argc, char **argv)
{
    int me, p, blocks, n, s, i, k;
    double *block, begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    begin_with_cores();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    blocks = atoi(argv[1]);
    n = atoi(argv[2]);
    block = calloc(n, sizeof *block);
    for (s = 0; s < blocks; s++) {
        if (me > 0)
            MPI_Recv(block, n, MPI_DOUBLE, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (k = 0; k < 20; k++)
            for (i = 1; i < n; i++)
                block[i] = 0.5 * block[i - 1] + 1.0 / (i + k + me + s);
        if (me < p - 1)
            MPI_Send(block, n, MPI_DOUBLE, me + 1, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    report(me, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
