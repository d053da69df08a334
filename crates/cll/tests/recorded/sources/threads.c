#include <mpi.h>
#include <pthread.h>
static int rank;
static void *exchange(void *tag)
{
    int i, x = 0, own = *(int *)tag;
    for (i = 0; i < 20; i++)
        if (rank == 0) {
            MPI_Send(&x, 1, MPI_INT, 1, own, MPI_COMM_WORLD);
            MPI_Recv(&x, 1, MPI_INT, 1, own, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&x, 1, MPI_INT, 0, own, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, own, MPI_COMM_WORLD);
        }
    return 0;
}
int main(int argc, char **argv)
{
    int level, one = 1, two = 2;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 3);
    pthread_create(&other, 0, exchange, &two);
    exchange(&one);
    pthread_join(other, 0);
    MPI_Finalize();
    return 0;
}
