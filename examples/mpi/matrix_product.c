/* The product of two matrices in MPI with threads of OpenMP: each process has rows of the first matrix, all
 * get the second one, and threads share a process's rows. The second matrix counts 1, 2, 3, ... along its
 * rows and the first is all ones, so every row of the product is N times that.
 *
 * Shows: MPI and OpenMP in one program; T, the program's own variable, is the number of threads.
 *
 *   cll model examples/mpi/matrix_product.c --cflags=-fopenmp --hold-out N=400 \
 *     --predict N=700,P=4,T=2
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 1:8:2

enum { LARGEST = 400 };

static void multiply(const double *a, const double *b, double *c, int rows, int N)
{
    int i;
#pragma omp parallel for
    for (i = 0; i < rows; i++) {
        int j, k;
        for (j = 0; j < N; j++)
            c[i * N + j] = 0;
        for (k = 0; k < N; k++)
            for (j = 0; j < N; j++)
                c[i * N + j] += a[i * N + k] * b[k * N + j];
    }
}

int main(int argc, char **argv)
{
    int N = 200, T = omp_get_max_threads(), me, p, granted, wrong = 0, all, i;
    double *a, *b, *c;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    a = malloc(sizeof *a * LARGEST * (LARGEST / p + 1));
    b = malloc(sizeof *b * LARGEST * LARGEST);
    c = malloc(sizeof *c * LARGEST * (LARGEST / p + 1));

#pragma cll for (N = 40; N <= LARGEST; N += 40)
    {
        int rows = N * (me + 1) / p - N * me / p;
        for (i = 0; i < rows * N; i++)
            a[i] = 1;
        for (i = 0; i < N * N; i++)
            b[i] = me == 0 ? i % N + 1 : 0;
#pragma cll sync product product[0] + product[1]*N*N + product[2]*N*N*N/(P*T)
        MPI_Bcast(b, N * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        multiply(a, b, c, rows, N);
#pragma cll end product
        for (i = 0; i < rows * N; i++)
            wrong |= c[i] != (double)N * (i % N + 1);
    }
#pragma cll end for
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (me == 0)
        printf("matrix product: %s\n", all ? "WRONG" : "every element is right");
    MPI_Finalize();
    return all;
}
