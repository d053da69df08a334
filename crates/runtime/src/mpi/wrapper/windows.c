/* One-sided communication: windows, accesses, epochs. */
#include "handles.h"

static struct cll_handles windows;
static uint32_t ids;

/* A window's number + 1; 0: it was not created here. */
uint32_t cll_find_window(MPI_Win window)
{
    return cll_handle_find(&windows, CLL_KEY(window));
}

static uint32_t made(struct cll_lane *lane, MPI_Win window, MPI_Comm comm)
{
    uint32_t on = cll_comm(lane, comm)->id;
    uint32_t id = __atomic_fetch_add(&ids, 1, __ATOMIC_RELAXED);

    cll_handle_add(&windows, CLL_KEY(window), id);
    cll_calls_window(id, on);
    return id;
}

#define MAKES(name, parameters, arguments)                                                                       \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        uint64_t end;                                                                                            \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        HEAD(lane, name);                                                                                        \
        cll_put(lane, cll_comm(lane, comm)->id);                                                                 \
        cll_begin(lane);                                                                                         \
        if (__builtin_expect(cll_virtual, 0))                                                                    \
            cll_meet(cll_comm(lane, comm));                                                                      \
        error = real_##name arguments;                                                                           \
        end = cll_end(lane, lane->start);                                                                        \
        cll_return_new(lane, error, end, error ? 0 : made(lane, *window, comm), 1);                              \
        return error;                                                                                            \
    }

MAKES(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
      (base, size, unit, info, comm, window))
MAKES(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
MAKES(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
      (size, unit, info, comm, base, window))
MAKES(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))

static inline void put_epoch(struct cll_lane *lane, MPI_Win window, int partner)
{
    cll_put(lane, cll_find_window(window));
    cll_put_signed(lane, cll_partner(partner));
}

#define EPOCH(name, parameters, arguments, partner)                                                              \
    CALL(name, parameters, arguments, put_epoch(lane, window, partner))

EPOCH(Win_fence, (int assertion, MPI_Win window), (assertion, window), MPI_ANY_SOURCE)
EPOCH(Win_start, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window), MPI_ANY_SOURCE)
EPOCH(Win_complete, (MPI_Win window), (window), MPI_ANY_SOURCE)
EPOCH(Win_post, (MPI_Group group, int assertion, MPI_Win window), (group, assertion, window), MPI_ANY_SOURCE)
EPOCH(Win_wait, (MPI_Win window), (window), MPI_ANY_SOURCE)
EPOCH(Win_lock, (int kind, int rank, int assertion, MPI_Win window), (kind, rank, assertion, window), rank)
EPOCH(Win_unlock, (int rank, MPI_Win window), (rank, window), rank)
EPOCH(Win_lock_all, (int assertion, MPI_Win window), (assertion, window), MPI_ANY_SOURCE)
EPOCH(Win_unlock_all, (MPI_Win window), (window), MPI_ANY_SOURCE)
EPOCH(Win_flush, (int rank, MPI_Win window), (rank, window), rank)
EPOCH(Win_flush_all, (MPI_Win window), (window), MPI_ANY_SOURCE)
EPOCH(Win_flush_local, (int rank, MPI_Win window), (rank, window), rank)
EPOCH(Win_flush_local_all, (MPI_Win window), (window), MPI_ANY_SOURCE)

WRAP(Win_test, (MPI_Win window, int *flag))
{
    GUARDED(lane);
    uint64_t start, end;
    uint32_t point;
    int error, follows;

    if (!lane)
        return real_Win_test(window, flag);
    point = POINT(lane);
    start = cll_start(lane);
    error = real_Win_test(window, flag);
    end = cll_end(lane, start);
    if (!error && !*flag && cll_in_vain(lane, CLL_OP_Win_test, point, CLL_KEY(window), start, end))
        return error;
    follows = cll_follows_looks(lane);
    cll_head(lane, CLL_OP_Win_test, point);
    put_epoch(lane, window, MPI_ANY_SOURCE);
    cll_begin_at(lane, start);
    if (!error && !*flag)
        cll_return_in_vain(lane, CLL_OP_Win_test, point, CLL_KEY(window), end, follows);
    else
        cll_return_new(lane, error, end, 0, 0);
    return error;
}

WRAP(Win_free, (MPI_Win *window))
{
    GUARDED(lane);
    uint64_t handle = CLL_KEY(*window);
    uint32_t known;
    int error;

    if (!lane)
        return real_Win_free(window);
    HEAD(lane, Win_free);
    put_epoch(lane, *window, MPI_ANY_SOURCE);
    cll_begin(lane);
    /* Before the call: another thread may get the handle as soon as it is free. */
    known = cll_handle_take(&windows, handle);
    error = real_Win_free(window);
    cll_return(lane, error);
    if (error && known)
        cll_handle_add(&windows, handle, known - 1);
    return error;
}

static inline void put_access(struct cll_lane *lane, MPI_Win window, int rank, uint64_t out, uint64_t in)
{
    cll_put(lane, cll_find_window(window));
    cll_put_signed(lane, cll_partner(rank));
    cll_put(lane, out);
    cll_put(lane, in);
}

#define ACCESS(name, parameters, arguments, out, in)                                                             \
    CALL(name, parameters, arguments, put_access(lane, window, rank, out, in))

#define ACCESS_BY_REQUEST(name, parameters, arguments, out, in)                                                  \
    CALL_BY_REQUEST(name, parameters, arguments, put_access(lane, window, rank, out, in))

#define BYTES(count, type) cll_bytes(lane, (uint64_t)(count), type)

ACCESS(Put,
       (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its,
        MPI_Win window),
       (buf, count, type, rank, at, there, its, window), BYTES(count, type), 0)
ACCESS(Get,
       (void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its, MPI_Win window),
       (buf, count, type, rank, at, there, its, window), 0, BYTES(count, type))
ACCESS(Accumulate,
       (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its, MPI_Op op,
        MPI_Win window),
       (buf, count, type, rank, at, there, its, op, window), BYTES(count, type), 0)
/* With MPI_NO_OP nothing is sent. */
ACCESS(Get_accumulate,
       (const void *buf, int count, MPI_Datatype type, void *result, int results, MPI_Datatype of, int rank, MPI_Aint at,
        int there, MPI_Datatype its, MPI_Op op, MPI_Win window),
       (buf, count, type, result, results, of, rank, at, there, its, op, window),
       op == MPI_NO_OP ? 0 : BYTES(count, type), BYTES(results, of))
ACCESS(Fetch_and_op,
       (const void *buf, void *result, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op, MPI_Win window),
       (buf, result, type, rank, at, op, window), op == MPI_NO_OP ? 0 : BYTES(1, type), BYTES(1, type))
ACCESS(Compare_and_swap,
       (const void *buf, const void *compared, void *result, MPI_Datatype type, int rank, MPI_Aint at, MPI_Win window),
       (buf, compared, result, type, rank, at, window), BYTES(2, type), BYTES(1, type))
ACCESS_BY_REQUEST(Rput,
                  (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its,
                   MPI_Win window, MPI_Request *request),
                  (buf, count, type, rank, at, there, its, window, request), BYTES(count, type), 0)
ACCESS_BY_REQUEST(Rget,
                  (void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its,
                   MPI_Win window, MPI_Request *request),
                  (buf, count, type, rank, at, there, its, window, request), 0, BYTES(count, type))
ACCESS_BY_REQUEST(Raccumulate,
                  (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int there, MPI_Datatype its,
                   MPI_Op op, MPI_Win window, MPI_Request *request),
                  (buf, count, type, rank, at, there, its, op, window, request), BYTES(count, type), 0)
ACCESS_BY_REQUEST(Rget_accumulate,
                  (const void *buf, int count, MPI_Datatype type, void *result, int results, MPI_Datatype of, int rank,
                   MPI_Aint at, int there, MPI_Datatype its, MPI_Op op, MPI_Win window, MPI_Request *request),
                  (buf, count, type, result, results, of, rank, at, there, its, op, window, request),
                  op == MPI_NO_OP ? 0 : BYTES(count, type), BYTES(results, of))
