/* Collectives. Recorded is what any algorithm must transfer: the bytes that must leave this process, and those
 * that must come to it. What a process sends to itself is in neither. */
#include "wrapper.h"

struct flow {
    /* The root + 1; 0: there is none, or it is in the other group. */
    int root;
    uint64_t out, in;
};

/* The number of processes with which this one exchanges something. */
static inline uint64_t others(const struct cll_communicator *comm)
{
    return (uint64_t)(comm->is_inter ? comm->remote : comm->size - 1);
}

static inline int is_self(const struct cll_communicator *comm, int rank)
{
    return !comm->is_inter && rank == comm->rank;
}

static inline int is_root(const struct cll_communicator *comm, int root)
{
    return comm->is_inter ? root == MPI_ROOT : root == comm->rank;
}

static inline int named(int root)
{
    return root >= 0 ? root + 1 : 0;
}

/* The sum of the counts of other ranks. */
static uint64_t sum(struct cll_lane *lane, const struct cll_communicator *comm, const int *counts, MPI_Datatype type)
{
    int ranks = comm->is_inter ? comm->remote : comm->size, i;
    uint64_t all = 0;
    for (i = 0; i < ranks; i++)
        if (!is_self(comm, i))
            all += (uint64_t)counts[i];
    return cll_bytes(lane, all, type);
}

static uint64_t sum_types(struct cll_lane *lane, const struct cll_communicator *comm, const int *counts,
                          const MPI_Datatype *types)
{
    int ranks = comm->is_inter ? comm->remote : comm->size, i;
    uint64_t all = 0;
    for (i = 0; i < ranks; i++)
        if (!is_self(comm, i))
            all += cll_bytes(lane, (uint64_t)counts[i], types[i]);
    return all;
}

static inline void put_flow(struct cll_lane *lane, const struct cll_communicator *comm, struct flow flow)
{
    uint8_t *at = cll_number(lane->at, comm->id);
    at = cll_number(at, (uint64_t)flow.root);
    at = cll_number(at, flow.out);
    lane->at = cll_number(at, flow.in);
}

/* `FLOW` computes the transfer; it can use `lane` and `on`. Where ranks compute in turns, the call is begun as `nonblocking`
 * by `BEGIN`, and tested: an MPI that polls would keep the core from those that it waits for. Nobody computes before
 * all have ended it: what MPI does then would disturb the computation. */
#define COLLECTIVE(name, nonblocking, parameters, arguments, BEGIN, FLOW)                                        \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        const struct cll_communicator *on;                                                                       \
        MPI_Request begun;                                                                                       \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        on = cll_comm(lane, comm);                                                                               \
        HEAD(lane, name);                                                                                        \
        put_flow(lane, on, FLOW);                                                                                \
        cll_begin(lane);                                                                                         \
        if (__builtin_expect(cll_virtual, 0)) {                                                                  \
            cll_meet(on);                                                                                        \
            error = real_##nonblocking BEGIN;                                                                    \
            if (!error)                                                                                          \
                error = cll_complete(&begun);                                                                    \
            cll_meet(on);                                                                                        \
        } else {                                                                                                 \
            error = real_##name arguments;                                                                       \
        }                                                                                                        \
        cll_return(lane, error);                                                                                 \
        return error;                                                                                            \
    }

#define BY_REQUEST(name, parameters, arguments, FLOW)                                                            \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        const struct cll_communicator *on;                                                                       \
        uint64_t number;                                                                                         \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        on = cll_comm(lane, comm);                                                                               \
        HEAD(lane, name);                                                                                        \
        put_flow(lane, on, FLOW);                                                                                \
        cll_put_request(lane, number = cll_new_request());                                                       \
        cll_begin(lane);                                                                                         \
        error = real_##name arguments;                                                                           \
        cll_return(lane, error);                                                                                 \
        if (!error)                                                                                              \
            cll_add_request(*request, number, CLL_ACTIVE, 0, 0, 0);                                              \
        return error;                                                                                            \
    }

/* The same as a persistent request: `MPI_Start` begins it. An MPI before MPI-4 may have it under a name of its own. */
#if MPI_VERSION >= 4
#define PERSISTENT_AS(name, parameters) WRAP(name##_init, parameters)
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT_AS(name, parameters) WRAP_AS(MPIX_, name##_init, parameters)
#endif
#ifdef PERSISTENT_AS
#define PERSISTENT(name, parameters, arguments, FLOW)                                                            \
    PERSISTENT_AS(name, parameters)                                                                              \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        const struct cll_communicator *on;                                                                       \
        uint64_t number;                                                                                         \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name##_init arguments;                                                                 \
        on = cll_comm(lane, comm);                                                                               \
        HEAD(lane, name##_init);                                                                                 \
        put_flow(lane, on, FLOW);                                                                                \
        cll_put_request(lane, number = cll_new_request());                                                       \
        cll_begin(lane);                                                                                         \
        error = real_##name##_init arguments;                                                                    \
        cll_return(lane, error);                                                                                 \
        if (!error)                                                                                              \
            cll_add_request(*request, number, CLL_PERSISTENT, 0, 0, 0);                                          \
        return error;                                                                                            \
    }
#else
#define PERSISTENT(name, parameters, arguments, FLOW)
#endif

#define LIST(...) __VA_ARGS__
/* The same call three times: one waits, one returns a request, one makes a persistent request. */
#define BOTH(name, nonblocking, parameters, arguments, FLOW)                                                     \
    BY_REQUEST(nonblocking, (parameters, MPI_Request * request), (arguments, request), FLOW)                     \
    PERSISTENT(name, (parameters, MPI_Info info, MPI_Request * request), (arguments, info, request), FLOW)       \
    COLLECTIVE(name, nonblocking, (parameters), (arguments), (arguments, &begun), FLOW)

static struct flow nothing(void)
{
    return (struct flow){0, 0, 0};
}

BOTH(Barrier, Ibarrier, MPI_Comm comm, comm, nothing())

static struct flow bcast(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type,
                         int root)
{
    struct flow flow = {named(root), 0, 0};
    uint64_t bytes = others(on) ? cll_bytes(lane, (uint64_t)count, type) : 0;
    if (is_root(on, root))
        flow.out = bytes;
    else if (root != MPI_PROC_NULL)
        flow.in = bytes;
    return flow;
}
BOTH(Bcast, Ibcast, LIST(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
     LIST(buf, count, type, root, comm), bcast(lane, on, count, type, root))

/* Between the root and the others: one part for each, with counts by rank or one for all. */
static struct flow to_root(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type,
                           const int *counts, int each, MPI_Datatype all, int root)
{
    struct flow flow = {named(root), 0, 0};
    if (is_root(on, root))
        flow.in = counts ? sum(lane, on, counts, all) : others(on) * cll_bytes(lane, (uint64_t)each, all);
    else if (root != MPI_PROC_NULL)
        flow.out = cll_bytes(lane, (uint64_t)count, type);
    return flow;
}

static struct flow from_root(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type,
                             const int *counts, int each, MPI_Datatype all, int root)
{
    struct flow flow = to_root(lane, on, count, type, counts, each, all, root);
    return (struct flow){flow.root, flow.in, flow.out};
}

BOTH(Gather, Igather,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          int root, MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
     to_root(lane, on, sendcount, sendtype, NULL, recvcount, recvtype, root))
BOTH(Gatherv, Igatherv,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
          const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
     to_root(lane, on, sendcount, sendtype, recvcounts, 0, recvtype, root))
BOTH(Scatter, Iscatter,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          int root, MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
     from_root(lane, on, recvcount, recvtype, NULL, sendcount, sendtype, root))
BOTH(Scatterv, Iscatterv,
     LIST(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf,
          int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
     LIST(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
     from_root(lane, on, recvcount, recvtype, sendcounts, 0, sendtype, root))

static struct flow allgather(struct cll_lane *lane, const struct cll_communicator *on, const void *sendbuf, int count,
                             MPI_Datatype type, int each, MPI_Datatype all)
{
    uint64_t part = cll_bytes(lane, (uint64_t)each, all);
    uint64_t own = sendbuf == MPI_IN_PLACE ? part : cll_bytes(lane, (uint64_t)count, type);
    return (struct flow){0, others(on) ? own : 0, others(on) * part};
}
BOTH(Allgather, Iallgather,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     allgather(lane, on, sendbuf, sendcount, sendtype, recvcount, recvtype))

static struct flow allgatherv(struct cll_lane *lane, const struct cll_communicator *on, const void *sendbuf, int count,
                              MPI_Datatype type, const int *counts, MPI_Datatype all)
{
    int in_place = sendbuf == MPI_IN_PLACE;
    uint64_t own =
        in_place ? cll_bytes(lane, (uint64_t)counts[on->rank], all) : cll_bytes(lane, (uint64_t)count, type);
    return (struct flow){0, others(on) ? own : 0, sum(lane, on, counts, all)};
}
BOTH(Allgatherv, Iallgatherv,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
          const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
     allgatherv(lane, on, sendbuf, sendcount, sendtype, recvcounts, recvtype))

static struct flow alltoall(struct cll_lane *lane, const struct cll_communicator *on, const void *sendbuf, int count,
                            MPI_Datatype type, int each, MPI_Datatype all)
{
    uint64_t in = others(on) * cll_bytes(lane, (uint64_t)each, all);
    uint64_t out = sendbuf == MPI_IN_PLACE ? in : others(on) * cll_bytes(lane, (uint64_t)count, type);
    return (struct flow){0, out, in};
}
BOTH(Alltoall, Ialltoall,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     alltoall(lane, on, sendbuf, sendcount, sendtype, recvcount, recvtype))

static struct flow alltoallv(struct cll_lane *lane, const struct cll_communicator *on, const void *sendbuf,
                             const int *sent, MPI_Datatype type, const int *received, MPI_Datatype all)
{
    uint64_t in = sum(lane, on, received, all);
    return (struct flow){0, sendbuf == MPI_IN_PLACE ? in : sum(lane, on, sent, type), in};
}
BOTH(Alltoallv, Ialltoallv,
     LIST(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
          const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     LIST(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
     alltoallv(lane, on, sendbuf, sendcounts, sendtype, recvcounts, recvtype))

static struct flow alltoallw(struct cll_lane *lane, const struct cll_communicator *on, const void *sendbuf,
                             const int *sent, const MPI_Datatype *types, const int *received, const MPI_Datatype *all)
{
    uint64_t in = sum_types(lane, on, received, all);
    return (struct flow){0, sendbuf == MPI_IN_PLACE ? in : sum_types(lane, on, sent, types), in};
}
BOTH(Alltoallw, Ialltoallw,
     LIST(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
          void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),
     LIST(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
     alltoallw(lane, on, sendbuf, sendcounts, sendtypes, recvcounts, recvtypes))

static struct flow reduce(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type,
                          int root)
{
    struct flow flow = bcast(lane, on, count, type, root);
    return (struct flow){flow.root, flow.in, flow.out};
}
BOTH(Reduce, Ireduce,
     LIST(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     LIST(sendbuf, recvbuf, count, type, op, root, comm), reduce(lane, on, count, type, root))

static struct flow allreduce(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type)
{
    uint64_t bytes = others(on) ? cll_bytes(lane, (uint64_t)count, type) : 0;
    return (struct flow){0, bytes, bytes};
}
BOTH(Allreduce, Iallreduce,
     LIST(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     LIST(sendbuf, recvbuf, count, type, op, comm), allreduce(lane, on, count, type))

/* The own group of an intercommunicator shares the result among its members; for the other group the sum is the
   same. */
static struct flow reduce_scatter(struct cll_lane *lane, const struct cll_communicator *on, const int *counts,
                                  MPI_Datatype type)
{
    uint64_t all = 0;
    int i;
    for (i = 0; i < on->size; i++)
        all += (uint64_t)counts[i];
    if (!others(on))
        return nothing();
    return (struct flow){0, cll_bytes(lane, on->is_inter ? all : all - (uint64_t)counts[on->rank], type),
                         cll_bytes(lane, (uint64_t)counts[on->rank], type)};
}
BOTH(Reduce_scatter, Ireduce_scatter,
     LIST(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     LIST(sendbuf, recvbuf, recvcounts, type, op, comm), reduce_scatter(lane, on, recvcounts, type))

static struct flow reduce_scatter_block(struct cll_lane *lane, const struct cll_communicator *on, int count,
                                        MPI_Datatype type)
{
    uint64_t part = others(on) ? cll_bytes(lane, (uint64_t)count, type) : 0;
    return (struct flow){0, part * (uint64_t)(on->is_inter ? on->size : on->size - 1), part};
}
BOTH(Reduce_scatter_block, Ireduce_scatter_block,
     LIST(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     LIST(sendbuf, recvbuf, recvcount, type, op, comm), reduce_scatter_block(lane, on, recvcount, type))

static struct flow scan(struct cll_lane *lane, const struct cll_communicator *on, int count, MPI_Datatype type)
{
    uint64_t bytes = cll_bytes(lane, (uint64_t)count, type);
    return (struct flow){0, on->rank + 1 < on->size ? bytes : 0, on->rank > 0 ? bytes : 0};
}
BOTH(Scan, Iscan, LIST(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     LIST(sendbuf, recvbuf, count, type, op, comm), scan(lane, on, count, type))
BOTH(Exscan, Iexscan,
     LIST(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     LIST(sendbuf, recvbuf, count, type, op, comm), scan(lane, on, count, type))

/* The numbers of neighbours that send to this process, and to which it sends. */
static void degrees(MPI_Comm comm, int *in, int *out)
{
    int kind = MPI_UNDEFINED, dimensions = 0, rank = 0, weighted;

    *in = *out = 0;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &dimensions);
        *in = *out = 2 * dimensions;
    } else if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, in);
        *out = *in;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
    }
}

static struct flow neighbours(struct cll_lane *lane, MPI_Comm comm, int one_for_all, int count, MPI_Datatype type,
                              int each, MPI_Datatype all)
{
    int in, out;
    degrees(comm, &in, &out);
    if (one_for_all && out > 1)
        out = 1;
    return (struct flow){0, (uint64_t)out * cll_bytes(lane, (uint64_t)count, type),
                         (uint64_t)in * cll_bytes(lane, (uint64_t)each, all)};
}

static uint64_t add(struct cll_lane *lane, int ranks, const int *counts, MPI_Datatype type)
{
    uint64_t all = 0;
    for (int i = 0; i < ranks; i++)
        all += (uint64_t)counts[i];
    return cll_bytes(lane, all, type);
}

static uint64_t add_types(struct cll_lane *lane, int ranks, const int *counts, const MPI_Datatype *types)
{
    uint64_t all = 0;
    for (int i = 0; i < ranks; i++)
        all += cll_bytes(lane, (uint64_t)counts[i], types[i]);
    return all;
}

static struct flow neighbours_v(struct cll_lane *lane, MPI_Comm comm, const int *sent, int count, MPI_Datatype type,
                                const int *received, MPI_Datatype all)
{
    struct flow flow = {0, 0, 0};
    int in, out;
    degrees(comm, &in, &out);
    flow.in = add(lane, in, received, all);
    flow.out = sent ? add(lane, out, sent, type) : out > 0 ? cll_bytes(lane, (uint64_t)count, type) : 0;
    return flow;
}

static struct flow neighbours_w(struct cll_lane *lane, MPI_Comm comm, const int *sent, const MPI_Datatype *types,
                                const int *received, const MPI_Datatype *all)
{
    int in, out;
    degrees(comm, &in, &out);
    return (struct flow){0, add_types(lane, out, sent, types), add_types(lane, in, received, all)};
}

BOTH(Neighbor_allgather, Ineighbor_allgather,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     neighbours(lane, comm, 1, sendcount, sendtype, recvcount, recvtype))
BOTH(Neighbor_allgatherv, Ineighbor_allgatherv,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
          const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
     neighbours_v(lane, comm, NULL, sendcount, sendtype, recvcounts, recvtype))
BOTH(Neighbor_alltoall, Ineighbor_alltoall,
     LIST(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
          MPI_Comm comm),
     LIST(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
     neighbours(lane, comm, 0, sendcount, sendtype, recvcount, recvtype))
BOTH(Neighbor_alltoallv, Ineighbor_alltoallv,
     LIST(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
          const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
     LIST(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
     neighbours_v(lane, comm, sendcounts, 0, sendtype, recvcounts, recvtype))
BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
     LIST(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
          void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
          MPI_Comm comm),
     LIST(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
     neighbours_w(lane, comm, sendcounts, sendtypes, recvcounts, recvtypes))
