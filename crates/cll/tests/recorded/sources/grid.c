#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, i, left, right, size[2] = {2, 3}, open[2] = {0, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
    double x[4] = {0}, y[4] = {0};
    MPI_Comm grid, row, column;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, open, 0, &grid);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    MPI_Comm_rank(row, &rank);
    MPI_Cart_shift(row, 0, 1, &left, &right);
    for (i = 0; i < 4; i++) {
        MPI_Allreduce(x, y, 3, MPI_DOUBLE, MPI_SUM, row);
        MPI_Sendrecv(x, 4, MPI_DOUBLE, left, 0, y, 4, MPI_DOUBLE, right, 0, row, MPI_STATUS_IGNORE);
        MPI_Allreduce(x, y, 2, MPI_DOUBLE, MPI_SUM, column);
    }
    MPI_Finalize();
    return 0;
}
