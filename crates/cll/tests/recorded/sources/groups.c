#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static MPI_Comm own;
static int rank;
static void *thread(void *unused)
{
    int in;
    MPI_Sendrecv(&rank, 1, MPI_INT, rank ^ 1, 8, &in, 1, MPI_INT, rank ^ 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}
int main(int argc, char **argv)
{
    int level, one = 1, in = 0, done = 0, sums[4];
    MPI_Comm half, other;
    MPI_Request r;
    MPI_Win w;
    int *memory;
    pthread_t t;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 3, &other);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 4, &in, 1, MPI_INT, rank / 2, 4, other, MPI_STATUS_IGNORE);
    MPI_Bcast(&one, 1, MPI_INT, rank == 0 ? MPI_ROOT : rank % 2 ? 0 : MPI_PROC_NULL, other);
    MPI_Iallreduce(&one, &in, 1, MPI_INT, MPI_SUM, half, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Isend(&one, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (rank == 0) {
        usleep(20000);
        MPI_Send(&one, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
        while (!done)
            MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, w);
    MPI_Win_unlock(0, w);
    MPI_Win_free(&w);
    MPI_Allgather(&rank, 1, MPI_INT, sums, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
