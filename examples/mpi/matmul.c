/* The product of two matrices on a master and its slaves, as in figure 3 of Laine, Midorikawa, Sato, Ching: the
 * master sets up A and B and sends each slave all of B and some rows of A, computes its own rows, and receives the
 * rest.
 *
 *   cll mpi model examples/mpi/matmul.c --vary n=100:500:+50 -n 2 --predict n=600 -- {n}
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void multiply(const double *a, const double *b, double *c, int rows, int n)
{
    int i, j, k;
    for (i = 0; i < rows; i++) {
        for (j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (k = 0; k < n; k++)
            for (j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, me, p, to, i, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n * n), *c = malloc(sizeof *c * n * n);
    if (me == 0) {
        int own = n / p, first = own;
        for (i = 0; i < n * n; i++) {
            a[i] = 1;
            b[i] = i % n + 1;
        }
        for (to = 1; to < p; to++) {
            int next = n * (to + 1) / p;
            MPI_Send(b, n * n, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
            MPI_Send(a + first * n, (next - first) * n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
            first = next;
        }
        multiply(a, b, c, own, n);
        for (to = 1, first = own; to < p; to++) {
            int next = n * (to + 1) / p;
            MPI_Recv(c + first * n, (next - first) * n, MPI_DOUBLE, to, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            first = next;
        }
        for (i = 0; i < n * n; i++)
            wrong |= c[i] != (double)n * (i % n + 1);
        printf("matmul: %s\n", wrong ? "WRONG" : "every element is right");
    } else {
        int rows = n * (me + 1) / p - n * me / p;
        MPI_Recv(b, n * n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(a, rows * n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        multiply(a, b, c, rows, n);
        MPI_Send(c, rows * n, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return wrong;
}
