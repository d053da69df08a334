/* A task farm: process 0 gives tasks to whoever has none: `farm TASKS WORK`. Prints the seconds of all of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "whole_cores.h"

int main(int argc, char **argv)
{
    int me, p, tasks, work, given = 0, done = 0, i;
    double result = 0, begin;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    begin_with_cores();
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    tasks = atoi(argv[1]);
    work = atoi(argv[2]);
    if (me == 0) {
        int none = -1;
        for (i = 1; i < p; i++, given++)
            MPI_Send(given < tasks ? &given : &none, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
        while (done < tasks) {
            MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            done++;
            MPI_Send(given < tasks ? &given : &none, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
            given++;
        }
    } else {
        for (;;) {
            int task;
            MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                break;
            for (i = 1; i < work * (1 + task % 3); i++)
                result += 1.0 / (i + result);
            MPI_Send(&result, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    report(me, MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
