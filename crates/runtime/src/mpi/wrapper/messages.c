/* Messages from one process to another. */
#include "wrapper.h"

static inline void put_message(struct cll_lane *lane, MPI_Comm comm, int partner, int tag, uint64_t bytes)
{
    uint32_t on = cll_comm(lane, comm)->id;
    uint8_t *at = cll_number(lane->at, on);
    at = cll_signed(at, cll_partner(partner));
    at = cll_signed(at, cll_tag(tag));
    lane->at = cll_number(at, bytes);
}

#define SENDS(name)                                                                                              \
    WRAP(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm))                \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name(buf, count, type, dest, tag, comm);                                               \
        HEAD(lane, name);                                                                                        \
        put_message(lane, comm, dest, tag, cll_bytes(lane, (uint64_t)count, type));                              \
        cll_begin(lane);                                                                                         \
        error = real_##name(buf, count, type, dest, tag, comm);                                                  \
        cll_return(lane, error);                                                                                 \
        return error;                                                                                            \
    }

SENDS(Send)
SENDS(Bsend)
SENDS(Ssend)
SENDS(Rsend)

#define SENDS_BY_REQUEST(name, flags)                                                                            \
    WRAP(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,                 \
                MPI_Request *request))                                                                           \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        uint64_t number;                                                                                         \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name(buf, count, type, dest, tag, comm, request);                                      \
        HEAD(lane, name);                                                                                        \
        put_message(lane, comm, dest, tag, cll_bytes(lane, (uint64_t)count, type));                              \
        cll_put_request(lane, number = cll_new_request());                                                       \
        cll_begin(lane);                                                                                         \
        error = real_##name(buf, count, type, dest, tag, comm, request);                                         \
        cll_return(lane, error);                                                                                 \
        if (!error)                                                                                              \
            cll_add_request(*request, number, flags, 0, 0, 0);                                                   \
        return error;                                                                                            \
    }

SENDS_BY_REQUEST(Isend, CLL_ACTIVE)
SENDS_BY_REQUEST(Ibsend, CLL_ACTIVE)
SENDS_BY_REQUEST(Issend, CLL_ACTIVE)
SENDS_BY_REQUEST(Irsend, CLL_ACTIVE)
SENDS_BY_REQUEST(Send_init, CLL_PERSISTENT)
SENDS_BY_REQUEST(Bsend_init, CLL_PERSISTENT)
SENDS_BY_REQUEST(Ssend_init, CLL_PERSISTENT)
SENDS_BY_REQUEST(Rsend_init, CLL_PERSISTENT)

WRAP(Recv, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    GUARDED(lane);
    struct cll_found requested, found = {0, 0, 0};
    MPI_Status own;
    int error;

    if (!lane)
        return real_Recv(buf, count, type, source, tag, comm, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Recv);
    requested = (struct cll_found){cll_partner(source), cll_tag(tag), cll_bytes(lane, (uint64_t)count, type)};
    put_message(lane, comm, source, tag, requested.bytes);
    cll_begin(lane);
    error = real_Recv(buf, count, type, source, tag, comm, status);
    if (!error)
        found = cll_received(status);
    cll_return_found(lane, error, &requested, &found);
    return error;
}

#define RECEIVES_BY_REQUEST(name, flags)                                                                         \
    WRAP(name, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,                     \
                MPI_Request *request))                                                                           \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        uint64_t number, bytes;                                                                                  \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name(buf, count, type, source, tag, comm, request);                                    \
        HEAD(lane, name);                                                                                        \
        bytes = cll_bytes(lane, (uint64_t)count, type);                                                          \
        put_message(lane, comm, source, tag, bytes);                                                             \
        cll_put_request(lane, number = cll_new_request());                                                       \
        cll_begin(lane);                                                                                         \
        error = real_##name(buf, count, type, source, tag, comm, request);                                       \
        cll_return(lane, error);                                                                                 \
        if (!error)                                                                                              \
            cll_add_request(*request, number, CLL_RECEIVES | (flags), cll_partner(source), cll_tag(tag), bytes); \
        return error;                                                                                            \
    }

RECEIVES_BY_REQUEST(Irecv, CLL_ACTIVE)
RECEIVES_BY_REQUEST(Recv_init, CLL_PERSISTENT)

/* A message that a probe has found and recorded with its sender. */
WRAP(Mrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status))
{
    GUARDED(lane);
    struct cll_found requested, found = {0, 0, 0};
    MPI_Status own;
    int error;

    if (!lane)
        return real_Mrecv(buf, count, type, message, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Mrecv);
    requested = (struct cll_found){CLL_ANY, CLL_ANY, cll_bytes(lane, (uint64_t)count, type)};
    put_message(lane, MPI_COMM_WORLD, MPI_ANY_SOURCE, MPI_ANY_TAG, requested.bytes);
    cll_begin(lane);
    error = real_Mrecv(buf, count, type, message, status);
    if (!error)
        found = cll_received(status);
    cll_return_found(lane, error, &requested, &found);
    return error;
}

WRAP(Imrecv, (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request))
{
    GUARDED(lane);
    uint64_t number, bytes;
    int error;

    if (!lane)
        return real_Imrecv(buf, count, type, message, request);
    HEAD(lane, Imrecv);
    bytes = cll_bytes(lane, (uint64_t)count, type);
    put_message(lane, MPI_COMM_WORLD, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes);
    cll_put_request(lane, number = cll_new_request());
    cll_begin(lane);
    error = real_Imrecv(buf, count, type, message, request);
    cll_return(lane, error);
    if (!error)
        cll_add_request(*request, number, CLL_RECEIVES | CLL_ACTIVE, CLL_ANY, CLL_ANY, bytes);
    return error;
}

WRAP(Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status))
{
    GUARDED(lane);
    struct cll_found requested, found = {0, 0, 0};
    MPI_Status own;
    int error;

    if (!lane)
        return real_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                             recvtag, comm, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Sendrecv);
    put_message(lane, comm, dest, sendtag, cll_bytes(lane, (uint64_t)sendcount, sendtype));
    requested = (struct cll_found){cll_partner(source), cll_tag(recvtag), cll_bytes(lane, (uint64_t)recvcount, recvtype)};
    cll_put_found(lane, &requested);
    cll_begin(lane);
    error = real_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
                          comm, status);
    if (!error)
        found = cll_received(status);
    cll_return_found(lane, error, &requested, &found);
    return error;
}

WRAP(Sendrecv_replace, (void *buf, int count, MPI_Datatype type, int dest, int sendtag, int source, int recvtag,
                        MPI_Comm comm, MPI_Status *status))
{
    GUARDED(lane);
    struct cll_found requested, found = {0, 0, 0};
    MPI_Status own;
    int error;

    if (!lane)
        return real_Sendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, status);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Sendrecv_replace);
    requested = (struct cll_found){cll_partner(source), cll_tag(recvtag), cll_bytes(lane, (uint64_t)count, type)};
    put_message(lane, comm, dest, sendtag, requested.bytes);
    cll_put_found(lane, &requested);
    cll_begin(lane);
    error = real_Sendrecv_replace(buf, count, type, dest, sendtag, source, recvtag, comm, status);
    if (!error)
        found = cll_received(status);
    cll_return_found(lane, error, &requested, &found);
    return error;
}

static inline void put_probe(struct cll_lane *lane, MPI_Comm comm, int source, int tag)
{
    cll_put(lane, cll_comm(lane, comm)->id);
    cll_put_signed(lane, cll_partner(source));
    cll_put_signed(lane, cll_tag(tag));
}

#define PROBES(name, parameters, arguments)                                                                      \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        struct cll_found requested = {0, 0, UINT64_MAX}, found = {0, 0, 0};                                          \
        MPI_Status own;                                                                                          \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        if (status == MPI_STATUS_IGNORE)                                                                         \
            status = &own;                                                                                       \
        HEAD(lane, name);                                                                                        \
        put_probe(lane, comm, source, tag);                                                                      \
        cll_begin(lane);                                                                                         \
        error = real_##name arguments;                                                                           \
        if (!error)                                                                                              \
            found = cll_received(status);                                                                        \
        cll_return_found(lane, error, &requested, &found);                                                           \
        return error;                                                                                            \
    }

PROBES(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status))
PROBES(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
       (source, tag, comm, message, status))

/* Calls that return in any case are recorded when they have returned; consecutive unsuccessful ones in one
 * record. */
#define LOOKS(name, parameters, arguments)                                                                       \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        struct cll_found requested = {0, 0, UINT64_MAX}, found = {0, 0, 0};                                          \
        uint64_t start, end, what;                                                                               \
        MPI_Status own;                                                                                          \
        uint32_t point;                                                                                          \
        int error, follows;                                                                                      \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        if (status == MPI_STATUS_IGNORE)                                                                         \
            status = &own;                                                                                       \
        point = POINT(lane);                                                                                     \
        what = CLL_KEY(comm) ^ (uint64_t)(uint32_t)source << 32 ^ (uint64_t)(uint32_t)tag << 13;                 \
        start = cll_start(lane);                                                                                 \
        error = real_##name arguments;                                                                           \
        end = cll_end(lane, start);                                                                              \
        if (!error && !*flag && cll_in_vain(lane, CLL_OP_##name, point, what, start, end))                       \
            return error;                                                                                        \
        follows = cll_follows_looks(lane);                                                                       \
        cll_head(lane, CLL_OP_##name, point);                                                                    \
        put_probe(lane, comm, source, tag);                                                                      \
        cll_begin_at(lane, start);                                                                               \
        if (!error && !*flag) {                                                                                  \
            cll_return_in_vain(lane, CLL_OP_##name, point, what, end, follows);                                  \
            return error;                                                                                        \
        }                                                                                                        \
        if (!error)                                                                                              \
            found = cll_received(status);                                                                        \
        cll_return_found(lane, error, &requested, &found);                                                           \
        return error;                                                                                            \
    }

LOOKS(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
      (source, tag, comm, flag, status))
LOOKS(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
      (source, tag, comm, flag, message, status))
