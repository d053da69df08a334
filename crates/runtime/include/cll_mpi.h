/* What libcll needs of MPI to gather samples. The translator includes it after the last line of a
 * source of the model MPI that has a `report`, where the program's own mpi.h is known; the library
 * itself is linked with no MPI. C89 or C++; nothing here is called before the program calls
 * MPI_Finalize or reports. The MPI engine of BSP programs defines CLL_MPI_ENGINE and uses the table
 * only. */
#ifndef CLL_MPI_H
#define CLL_MPI_H
#pragma GCC system_header

#if defined(MPI_VERSION) && MPI_VERSION >= 3

#ifdef __cplusplus
extern "C" {
#endif

/* Communication among all processes of MPI_COMM_WORLD, separate from all messages of the program.
 * Functions return 0 on success. A slot is a request in progress; there are three. */
struct cll_mpi {
    unsigned cll_version;                /* CLL_VERSION */
    int (*cll_attach)(void);             /* from now on MPI_Finalize calls cll_mpi_ends */
    int (*cll_where)(int *rank, int *size);
    int (*cll_agree)(void);              /* begins to create the communicator; slot 0 */
    int (*cll_share)(const void *own, void *all, int bytes); /* slot 0 */
    int (*cll_send)(int slot, const void *bytes, int count, int to);
    int (*cll_receive)(int slot, void *bytes, int count, int from);
    int (*cll_done)(int slot);           /* 1: complete, 0: not yet, -1: failed */
    int (*cll_finalize)(void);           /* MPI's own */
};

#ifdef CLL_MPI_ENGINE
static void (*cll_mpi_ends)(void);
#else
void cll_register_mpi(const struct cll_mpi *table);
void cll_mpi_ends(void);
int cll_mpi_finalize(int (*here)(void));
#endif

static MPI_Comm cll_mpi_all;
static MPI_Request cll_mpi_slot[3];

static int cll_mpi_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    cll_mpi_ends();
    return MPI_SUCCESS;
}

/* The first action of MPI_Finalize is to delete the attributes of MPI_COMM_SELF. */
static int cll_mpi_attach(void)
{
    int on = 0, over = 0, keyval;
    MPI_Initialized(&on);
    MPI_Finalized(&over);
    if (!on || over)
        return 1;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, cll_mpi_delete, &keyval, (void *)0) != MPI_SUCCESS)
        return 1;
    return MPI_Comm_set_attr(MPI_COMM_SELF, keyval, (void *)0) != MPI_SUCCESS;
}

static int cll_mpi_where(int *rank, int *size)
{
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS
        || MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS;
}

static int cll_mpi_agree(void)
{
    return MPI_Comm_idup(MPI_COMM_WORLD, &cll_mpi_all, &cll_mpi_slot[0]) != MPI_SUCCESS;
}

static int cll_mpi_share(const void *own, void *all, int bytes)
{
    return MPI_Iallgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, cll_mpi_all, &cll_mpi_slot[0])
        != MPI_SUCCESS;
}

static int cll_mpi_send(int slot, const void *bytes, int count, int to)
{
    return MPI_Isend(bytes, count, MPI_BYTE, to, slot, cll_mpi_all, &cll_mpi_slot[slot]) != MPI_SUCCESS;
}

static int cll_mpi_receive(int slot, void *bytes, int count, int from)
{
    return MPI_Irecv(bytes, count, MPI_BYTE, from, slot, cll_mpi_all, &cll_mpi_slot[slot]) != MPI_SUCCESS;
}

static int cll_mpi_done(int slot)
{
    int done = 0;
    if (MPI_Test(&cll_mpi_slot[slot], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return -1;
    return done != 0;
}

static const struct cll_mpi cll_mpi_table = {
    CLL_VERSION, cll_mpi_attach, cll_mpi_where, cll_mpi_agree, cll_mpi_share, cll_mpi_send, cll_mpi_receive,
    cll_mpi_done, PMPI_Finalize
};

#ifndef CLL_MPI_ENGINE
static void __attribute__((__constructor__(101))) cll_mpi_register(void)
{
    cll_register_mpi(&cll_mpi_table);
}

/* Called instead of MPI's own, even in processes that reach no `report`: all must know which did
   not. */
__attribute__((__weak__)) int (MPI_Finalize)(void)
{
    return cll_mpi_finalize(MPI_Finalize);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
#endif
