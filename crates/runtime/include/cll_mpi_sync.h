/* What libcll needs of MPI for `sync`. The translator includes it after the last line of a source
 * of the model MPI that has a `sync`, where the program's own mpi.h is known; the library itself
 * is linked with no MPI. C89 or C++; nothing here is called before the program reaches a `sync`. */
#ifndef CLL_MPI_SYNC_H
#define CLL_MPI_SYNC_H
#pragma GCC system_header

#if defined(MPI_VERSION) && MPI_VERSION >= 2

#ifdef __cplusplus
extern "C" {
#endif

/* The members of a communicator; `comm` points to it. Functions return 0 on success. */
struct cll_mpi_team {
    unsigned cll_version;                                      /* CLL_VERSION */
    int (*cll_members)(const void *comm, int *rank, int *size); /* size 0: it has two groups */
    int (*cll_barrier)(const void *comm);
    int (*cll_latest)(const void *comm, long long *values, int count); /* the maximum of all members */
    int (*cll_all)(const void *comm, const void *own, void *all, int bytes);
    int (*cll_part)(const void *comm); /* until cll_join, messages of pairs are separate from those of the program */
    int (*cll_give)(const void *bytes, int count, int to);
    int (*cll_take)(void *bytes, int count, int from);
    int (*cll_join)(void);
    void *(*cll_kept)(const void *comm); /* what was kept with the communicator, or 0 */
    int (*cll_keep)(const void *comm, void *kept);
};

unsigned cll_mpi_sync(const struct cll_mpi_team *team, const void *comm);
void cll_mpi_forget(void *kept);

/* One for all sources: so a communicator that two of them use is examined once. */
int cll_mpi_sync_key __attribute__((__weak__)) = MPI_KEYVAL_INVALID;

static __thread MPI_Comm cll_mpi_apart;

static const MPI_Comm *cll_mpi_of(const void *comm)
{
    return (const MPI_Comm *)comm;
}

static int cll_mpi_members(const void *comm, int *rank, int *size)
{
    int two_groups = 0;
    *size = 0;
    if (MPI_Comm_test_inter(*cll_mpi_of(comm), &two_groups) != MPI_SUCCESS)
        return 1;
    if (two_groups)
        return 0;
    return MPI_Comm_rank(*cll_mpi_of(comm), rank) != MPI_SUCCESS
        || MPI_Comm_size(*cll_mpi_of(comm), size) != MPI_SUCCESS;
}

static int cll_mpi_barrier(const void *comm)
{
    return MPI_Barrier(*cll_mpi_of(comm)) != MPI_SUCCESS;
}

static int cll_mpi_latest(const void *comm, long long *values, int count)
{
    return MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_LONG_LONG, MPI_MAX, *cll_mpi_of(comm)) != MPI_SUCCESS;
}

static int cll_mpi_all_of(const void *comm, const void *own, void *all, int bytes)
{
    return MPI_Allgather((void *)own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, *cll_mpi_of(comm)) != MPI_SUCCESS;
}

static int cll_mpi_part(const void *comm)
{
    return MPI_Comm_dup(*cll_mpi_of(comm), &cll_mpi_apart) != MPI_SUCCESS;
}

static int cll_mpi_give(const void *bytes, int count, int to)
{
    return MPI_Send((void *)bytes, count, MPI_BYTE, to, 0, cll_mpi_apart) != MPI_SUCCESS;
}

static int cll_mpi_take(void *bytes, int count, int from)
{
    return MPI_Recv(bytes, count, MPI_BYTE, from, 0, cll_mpi_apart, MPI_STATUS_IGNORE) != MPI_SUCCESS;
}

static int cll_mpi_join(void)
{
    return MPI_Comm_free(&cll_mpi_apart) != MPI_SUCCESS;
}

static int cll_mpi_drop(MPI_Comm comm, int key, void *kept, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    cll_mpi_forget(kept);
    return MPI_SUCCESS;
}

static void *cll_mpi_kept(const void *comm)
{
    void *kept = 0;
    int found = 0;
    if (cll_mpi_sync_key == MPI_KEYVAL_INVALID)
        return 0;
    MPI_Comm_get_attr(*cll_mpi_of(comm), cll_mpi_sync_key, &kept, &found);
    return found ? kept : 0;
}

static int cll_mpi_keep(const void *comm, void *kept)
{
    int key;
    if (cll_mpi_sync_key == MPI_KEYVAL_INVALID) {
        if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, cll_mpi_drop, &key, (void *)0) != MPI_SUCCESS)
            return 1;
        if (!__sync_bool_compare_and_swap(&cll_mpi_sync_key, MPI_KEYVAL_INVALID, key))
            MPI_Comm_free_keyval(&key);
    }
    return MPI_Comm_set_attr(*cll_mpi_of(comm), cll_mpi_sync_key, kept) != MPI_SUCCESS;
}

static const struct cll_mpi_team cll_mpi_team_table = {
    CLL_VERSION, cll_mpi_members, cll_mpi_barrier, cll_mpi_latest, cll_mpi_all_of, cll_mpi_part, cll_mpi_give,
    cll_mpi_take, cll_mpi_join, cll_mpi_kept, cll_mpi_keep
};

static unsigned cll_mpi_sync_at(const void *comm)
{
    return cll_mpi_sync(&cll_mpi_team_table, comm);
}

#ifdef __cplusplus
}
#endif

#endif
#endif
