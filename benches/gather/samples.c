/* Records samples, ends MPI, and writes as many bytes as processor 0 then has in its file. Prints seconds:
 * of recording, of MPI_Finalize, of writing; and the bytes. */
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#pragma cll parallel MPI

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + 1e-9 * at.tv_nsec;
}

static char piece[1 << 20];

/* Bytes as a file has them that is new: read from nowhere, written in pieces. */
static double written(long bytes)
{
    int to = open("plain", O_CREAT | O_TRUNC | O_WRONLY, 0666);
    double begin = now();
    while (bytes > 0) {
        long count = bytes < (long)sizeof piece ? bytes : (long)sizeof piece;
        if (write(to, piece, count) != count)
            exit(1);
        bytes -= count;
    }
    close(to);
    begin = now() - begin;
    unlink("plain");
    return begin;
}

int main(int argc, char **argv)
{
    int me, p;
    long i, n = atol(argv[1]);
    int gathers = !strcmp(argv[2], "gather");
    double recorded, ended, begin;
    volatile long work = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = now();
    for (i = me; i < n; i += p) {
#pragma cll step step[0] + step[1]*n
        work += i;
#pragma cll end step
    }
    MPI_Barrier(MPI_COMM_WORLD);
    recorded = now() - begin;
    if (gathers) {
#pragma cll report all
    }
    memset(piece, 1, sizeof piece);
    begin = now();
    MPI_Finalize();
    ended = now() - begin;
    if (me == 0) {
        long bytes = n * 32;
        printf("%.6f %.6f %.6f %ld\n", recorded, ended, written(bytes), bytes);
    }
    return 0;
}
