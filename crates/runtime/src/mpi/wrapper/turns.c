/* Ranks that compute in turns (`cll run --engine virtual`): calls that wait sleep between polls.
 *
 * A rank has a turn only while it computes: `cll_calls_pause` gives it back when a call begins, `cll_calls_resume` takes
 * one when it returns (`GUARDED`). An MPI polls without pause while it waits, and would take the cores from those that
 * compute. So here calls that wait for messages begin them and test them; between tests the rank sleeps until it is
 * woken, at most some milliseconds. A sender wakes its receiver. Processes of a collective sleep until the last one
 * has come (`cll_meet`), begin it and test it, and go on when all have ended it. */
#include "wrapper.h"

#include <dlfcn.h>
#include <stdlib.h>

int cll_virtual;
uint64_t cll_virtual_now;

/* Functions of MPI without this wrapper. */
static int (*plain_Isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static int (*plain_Issend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static int (*plain_Irsend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static int (*plain_Recv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
static int (*plain_Irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static int (*plain_Test)(MPI_Request *, int *, MPI_Status *);
static int (*plain_Testany)(int, MPI_Request *, int *, int *, MPI_Status *);
static int (*plain_Testsome)(int, MPI_Request *, int *, int *, MPI_Status *);
static int (*plain_Iprobe)(int, int, MPI_Comm, int *, MPI_Status *);
static int (*plain_Improbe)(int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *);
static double (*plain_Wtime)(void);

/* Repeats `TEST`, which sets `error` and `done`, until it is successful. */
#define UNTIL_DONE(TEST)                                                                                         \
    uint32_t polls = 0, seen;                                                                                    \
    int error, done = 0;                                                                                         \
    for (;;) {                                                                                                   \
        seen = cll_calls_rings();                                                                                \
        error = TEST;                                                                                            \
        if (error || done)                                                                                       \
            return error;                                                                                        \
        cll_calls_doze(seen, polls++);                                                                           \
    }

/* Wakes the process of this rank: it may sleep in a call that the message completes. */
static void ring(MPI_Comm comm, int rank)
{
    static MPI_Group world = MPI_GROUP_NULL;
    MPI_Group group;
    int is_inter = 0, other = rank;

    if (rank < 0)
        return;
    if (comm != MPI_COMM_WORLD) {
        if (world == MPI_GROUP_NULL)
            PMPI_Comm_group(MPI_COMM_WORLD, &world);
        PMPI_Comm_test_inter(comm, &is_inter);
        if ((is_inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group)) != MPI_SUCCESS)
            return;
        PMPI_Group_translate_ranks(group, 1, &rank, world, &other);
        PMPI_Group_free(&group);
    }
    if (other >= 0)
        cll_calls_ring(other);
}

void cll_meet(const struct cll_communicator *on)
{
    cll_calls_meet(on->id, (uint32_t)(on->size + (on->is_inter ? on->remote : 0)));
}

static int wait_one(MPI_Request *request, MPI_Status *status)
{
    UNTIL_DONE(plain_Test(request, &done, status))
}

int cll_complete(MPI_Request *request)
{
    return wait_one(request, MPI_STATUS_IGNORE);
}

#define SENDS(name, begins)                                                                                      \
    static int turns_##name(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)     \
    {                                                                                                            \
        MPI_Request request;                                                                                     \
        int error = plain_##begins(buf, count, type, dest, tag, comm, &request);                                 \
        if (error)                                                                                               \
            return error;                                                                                        \
        ring(comm, dest);                                                                                        \
        return wait_one(&request, MPI_STATUS_IGNORE);                                                            \
    }                                                                                                            \
    static int turns_##begins(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,   \
                              MPI_Request *request)                                                              \
    {                                                                                                            \
        int error = plain_##begins(buf, count, type, dest, tag, comm, request);                                  \
        ring(comm, dest);                                                                                        \
        return error;                                                                                            \
    }

SENDS(Send, Isend)
SENDS(Ssend, Issend)
SENDS(Rsend, Irsend)

static int turns_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    int error;

    /* The status of a request for it is not set by every MPI. */
    if (source == MPI_PROC_NULL)
        return plain_Recv(buf, count, type, source, tag, comm, status);
    if ((error = plain_Irecv(buf, count, type, source, tag, comm, &request)) != 0)
        return error;
    /* A large message waits for the receiver, and its sender goes on when it was received. */
    ring(comm, source);
    error = wait_one(&request, status);
    ring(comm, source);
    return error;
}

static int turns_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                          MPI_Status *status)
{
    MPI_Request sent;
    int error = plain_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &sent);

    if (error)
        return error;
    ring(comm, dest);
    error = turns_Recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status);
    return error ? error : wait_one(&sent, MPI_STATUS_IGNORE);
}

static int turns_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    UNTIL_DONE(plain_Iprobe(source, tag, comm, &done, status))
}

static int turns_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    UNTIL_DONE(plain_Improbe(source, tag, comm, &done, message, status))
}

static int turns_Wait(MPI_Request *request, MPI_Status *status)
{
    return wait_one(request, status);
}

/* One after the other: `MPI_Testall` of MPICH 4.0 fails for persistent collectives of which one is complete. */
static int turns_Waitall(int count, MPI_Request requests[], MPI_Status *statuses)
{
    int i, k, error, result = MPI_SUCCESS;

    for (i = 0; i < count; i++) {
        error = wait_one(&requests[i], &statuses[i]);
        /* Only then the statuses have errors. */
        for (k = 0; error && !result && k < i; k++)
            statuses[k].MPI_ERROR = MPI_SUCCESS;
        if (error)
            result = MPI_ERR_IN_STATUS;
        if (result)
            statuses[i].MPI_ERROR = error;
    }
    return result;
}

static int turns_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    UNTIL_DONE(plain_Testany(count, requests, index, &done, status))
}

static int turns_Waitsome(int count, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[])
{
    /* Without requests MPI returns MPI_UNDEFINED, which is not 0 either. */
    UNTIL_DONE((error = plain_Testsome(count, requests, completed, indices, statuses), done = *completed != 0, error))
}

struct replaced {
    const char *name;
    void *by;
};

#define BY(name) {"PMPI_" #name, (void *)turns_##name}
static const struct replaced all[] = {
    BY(Send), BY(Ssend), BY(Rsend), BY(Isend), BY(Issend), BY(Irsend), BY(Recv),
    BY(Sendrecv), BY(Probe), BY(Mprobe), BY(Wait), BY(Waitall), BY(Waitany), BY(Waitsome),
};

extern const struct cll_call __start_cll_calls[], __stop_cll_calls[];

#define FIND(name)                                                                                               \
    if (!(*(void **)&plain_##name = dlsym(RTLD_NEXT, "PMPI_" #name)))                                            \
        return

void cll_turns_begin(void)
{
    const struct cll_call *call;
    size_t i;

    FIND(Isend);
    FIND(Issend);
    FIND(Irsend);
    FIND(Recv);
    FIND(Irecv);
    FIND(Test);
    FIND(Testany);
    FIND(Testsome);
    FIND(Iprobe);
    FIND(Improbe);
    for (call = __start_cll_calls; call < __stop_cll_calls; call++)
        for (i = 0; i < sizeof all / sizeof *all; i++)
            if (!strcmp(call->name, all[i].name))
                *call->real = all[i].by;
    cll_virtual = 1;
    cll_virtual_now = cll_calls_pause();
}

/* The system's time: that of a machine with a core for each rank is known when the run has ended. */
__attribute__((visibility("default"))) double PMPI_Wtime(void)
{
    if (!plain_Wtime)
        *(void **)&plain_Wtime = dlsym(RTLD_NEXT, "PMPI_Wtime");
    if (cll_virtual && cll_on)
        cll_calls_ask();
    return plain_Wtime();
}
__attribute__((visibility("default"), alias("PMPI_Wtime"))) double MPI_Wtime(void);

/* An MPI waits without yielding its core if it has been given enough of them. */
__attribute__((constructor)) static void yield_cores(void)
{
    if (cll_calls_has_turns())
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
}
