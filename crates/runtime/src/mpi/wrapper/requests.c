/* Requests: which call has completed which request. They are marked before the call: another thread may get the handle
 * that it has freed before it returns. */
#include "wrapper.h"

#include <stdlib.h>

/* Active and persistent requests, by handle. An MPI may return the same handle for all requests that are
 * complete at once: then there are several with one handle, and the oldest is taken for the one that is waited
 * for. */
static struct request {
    uint64_t handle;
    /* From 1; 0: none. */
    uint64_t number;
    uint64_t bytes;
    int source, tag;
    unsigned flags;
} *table;
static size_t room, count;
static uint64_t numbers;

uint64_t cll_new_request(void)
{
    return __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
}

static inline size_t home(uint64_t handle)
{
    return (size_t)((handle ^ handle >> 32) * 0x9E3779B97F4A7C15u >> 20) & (room - 1);
}

static int grow(void)
{
    struct request *old = table;
    size_t old_room = room, start, i;

    room = room ? 2 * room : 1024;
    if (!(table = calloc(room, sizeof *table))) {
        table = old;
        room = old_room;
        return 0;
    }
    /* Beginning behind a gap, so that those of one handle stay in their order. */
    for (start = 0; start < old_room && old[start].number; start++)
        ;
    for (i = 0; i < old_room; i++) {
        struct request *one = &old[(start + i) & (old_room - 1)];
        size_t at;
        if (!one->number)
            continue;
        for (at = home(one->handle); table[at].number; at = (at + 1) & (room - 1))
            ;
        table[at] = *one;
    }
    free(old);
    return 1;
}

void cll_add_request(MPI_Request request, uint64_t number, unsigned flags, int source, int tag, uint64_t bytes)
{
    uint64_t handle = CLL_KEY(request);
    size_t at;

    if (request == MPI_REQUEST_NULL)
        return;
    cll_lock();
    if (2 * (count + 1) <= room || grow()) {
        for (at = home(handle); table[at].number; at = (at + 1) & (room - 1))
            ;
        table[at] = (struct request){handle, number, bytes, source, tag, flags};
        count++;
    }
    cll_unlock();
}

/* The oldest one with this handle of which `flags` are not set. The lock is held. */
static struct request *find(MPI_Request request, unsigned flags)
{
    uint64_t handle = CLL_KEY(request);
    size_t at;

    if (!room)
        return NULL;
    for (at = home(handle); table[at].number; at = (at + 1) & (room - 1))
        if (table[at].handle == handle && !(table[at].flags & flags))
            return &table[at];
    return NULL;
}

/* The one with this number, which is not 0. The lock is held. */
static struct request *find_number(MPI_Request request, uint64_t number)
{
    size_t at;

    if (!room || !number)
        return NULL;
    for (at = home(CLL_KEY(request)); table[at].number; at = (at + 1) & (room - 1))
        if (table[at].number == number)
            return &table[at];
    return NULL;
}

/* The lock is held. Later entries move back and stay in their order. */
static void take_out(struct request *one)
{
    size_t at = (size_t)(one - table), next = at;

    for (;;) {
        next = (next + 1) & (room - 1);
        if (!table[next].number)
            break;
        if (((next - home(table[next].handle)) & (room - 1)) >= ((next - at) & (room - 1))) {
            table[at] = table[next];
            at = next;
        }
    }
    table[at].number = 0;
    count--;
}

/* If several threads call MPI at the same time, another one may get a handle as soon as MPI has freed it. So
 * the requests of a call that may free them are looked up and claimed before the call. */
static void claim(struct cll_lane *lane, int given)
{
    int i;

    if (!cll_threaded)
        return;
    cll_lock();
    for (i = 0; i < given; i++) {
        struct request *one = NULL;
        if (lane->requests[i] != MPI_REQUEST_NULL)
            one = find(lane->requests[i], CLL_CLAIMED);
        if (one)
            one->flags |= CLL_CLAIMED;
        lane->claims[i] = one ? one->number : 0;
    }
    cll_unlock();
}

/* Releases the requests that the call has not completed. */
static void let_go(struct cll_lane *lane, int given)
{
    int i;

    if (!cll_threaded)
        return;
    cll_lock();
    for (i = 0; i < given; i++) {
        struct request *one = find_number(lane->requests[i], lane->claims[i]);
        if (one)
            one->flags &= ~(unsigned)CLL_CLAIMED;
    }
    cll_unlock();
}

/* The number of requests, and the number of the first one that is known. */
static void put_requests(struct cll_lane *lane, int given, const MPI_Request *requests)
{
    int is_claimed = cll_threaded && requests == lane->requests, i;
    uint64_t first = 0, there = 0;

    cll_lock();
    for (i = 0; i < given; i++) {
        struct request *one;
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        if (!first && is_claimed)
            first = lane->claims[i];
        else if (!first && (one = find(requests[i], 0)) != NULL)
            first = one->number;
        there++;
    }
    cll_unlock();
    cll_put(lane, there);
    if (there)
        cll_put_request(lane, first);
}

static inline void make_room(struct cll_lane *lane)
{
    if (lane->at + CLL_PIECE > lane->end)
        cll_renew(lane);
}

/* The request at this index has completed. */
static void done(struct cll_lane *lane, int place, const MPI_Status *status)
{
    MPI_Request request = lane->requests[place];
    struct request one, *found;
    struct cll_found message;
    int cancelled = 0;

    if (request == MPI_REQUEST_NULL)
        return;
    cll_lock();
    found = cll_threaded ? find_number(request, lane->claims[place]) : find(request, 0);
    if (!found || !(found->flags & CLL_ACTIVE)) {
        cll_unlock();
        return;
    }
    one = *found;
    if (one.flags & CLL_PERSISTENT)
        found->flags &= ~(unsigned)(CLL_ACTIVE | CLL_CANCELLED | CLL_CLAIMED);
    else
        take_out(found);
    if (cll_threaded)
        lane->claims[place] = 0;
    cll_unlock();
    if (one.flags & CLL_CANCELLED)
        PMPI_Test_cancelled(status, &cancelled);
    make_room(lane);
    if (!cll_on)
        return;
    message = (struct cll_found){one.source, one.tag, one.bytes};
    /* The status of a receive from MPI_PROC_NULL by a request is not set by every MPI. */
    if (one.flags & CLL_RECEIVES && !cancelled && one.source != CLL_NOBODY)
        message = cll_received(status);
    if (message.source != one.source || message.tag != one.tag || message.bytes != one.bytes) {
        *lane->at++ = CLL_DONE_GOT;
        cll_put_request(lane, one.number);
        cll_put_found(lane, &message);
    } else {
        *lane->at++ = cancelled ? CLL_DONE_CANCELLED : CLL_DONE;
        cll_put_request(lane, one.number);
    }
    cll_publish(lane);
}

/* Room for copies of the requests: MPI clears them when they complete. */
static int keep(struct cll_lane *lane, int given, const MPI_Request *requests)
{
    if (given > lane->room) {
        int wanted = given < 16 ? 16 : given;
        MPI_Request *handles = realloc(lane->requests, (size_t)wanted * sizeof *handles);
        MPI_Status *statuses = realloc(lane->statuses, (size_t)wanted * sizeof *statuses);
        uint64_t *claims = realloc(lane->claims, (size_t)wanted * sizeof *claims);
        if (handles)
            lane->requests = handles;
        if (statuses)
            lane->statuses = statuses;
        if (claims)
            lane->claims = claims;
        if (!handles || !statuses || !claims)
            return 0;
        lane->room = wanted;
    }
    if (given > 0)
        memcpy(lane->requests, requests, (size_t)given * sizeof *requests);
    claim(lane, given);
    return 1;
}

/* What must be known before the call: `LANE` and a copy of the requests. */
#define KEEP(name, given, requests, ...)                                                                         \
    GUARDED(lane);                                                                                               \
    int error;                                                                                                   \
    if (!lane)                                                                                                   \
        return real_##name(__VA_ARGS__);                                                                         \
    if (!keep(lane, given, requests)) {                                                                          \
        lane->inside = 0;                                                                                        \
        return real_##name(__VA_ARGS__);                                                                         \
    }

/* After a wait: the return, then what it has completed. The call counts as running until all is recorded. */
#define RETURN_THEN(error)                                                                                       \
    cll_return(lane, error == MPI_ERR_IN_STATUS ? 0 : error)

WRAP(Wait, (MPI_Request *request, MPI_Status *status))
{
    MPI_Status own;
    KEEP(Wait, 1, request, request, status)
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Wait);
    put_requests(lane, 1, lane->requests);
    cll_begin(lane);
    error = real_Wait(request, status);
    RETURN_THEN(error);
    if (!error)
        done(lane, 0, status);
    let_go(lane, 1);
    return error;
}

WRAP(Waitall, (int given, MPI_Request requests[], MPI_Status *statuses))
{
    int i;
    KEEP(Waitall, given, requests, given, requests, statuses)
    if (statuses == MPI_STATUSES_IGNORE)
        statuses = lane->statuses;
    HEAD(lane, Waitall);
    put_requests(lane, given, lane->requests);
    cll_begin(lane);
    error = real_Waitall(given, requests, statuses);
    RETURN_THEN(error);
    for (i = 0; i < given; i++)
        if (!error || (error == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR == MPI_SUCCESS))
            done(lane, i, &statuses[i]);
    let_go(lane, given);
    return error;
}

WRAP(Waitany, (int given, MPI_Request requests[], int *index, MPI_Status *status))
{
    MPI_Status own;
    KEEP(Waitany, given, requests, given, requests, index, status)
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    HEAD(lane, Waitany);
    put_requests(lane, given, lane->requests);
    cll_begin(lane);
    error = real_Waitany(given, requests, index, status);
    RETURN_THEN(error);
    if (!error && *index != MPI_UNDEFINED)
        done(lane, *index, status);
    let_go(lane, given);
    return error;
}

WRAP(Waitsome, (int given, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[]))
{
    int i;
    KEEP(Waitsome, given, requests, given, requests, completed, indices, statuses)
    if (statuses == MPI_STATUSES_IGNORE)
        statuses = lane->statuses;
    HEAD(lane, Waitsome);
    put_requests(lane, given, lane->requests);
    cll_begin(lane);
    error = real_Waitsome(given, requests, completed, indices, statuses);
    RETURN_THEN(error);
    for (i = 0; !error && *completed != MPI_UNDEFINED && i < *completed; i++)
        done(lane, indices[i], &statuses[i]);
    let_go(lane, given);
    return error;
}

/* Whether there is no request: MPI then returns that all are complete. */
static int is_nothing(const struct cll_lane *lane, int given)
{
    int i;
    for (i = 0; i < given; i++)
        if (lane->requests[i] != MPI_REQUEST_NULL)
            return 0;
    return 1;
}

/* Tests requests. `found_none` and `all_done` are evaluated when the call has returned. */
#define LOOK_AT(name, given, found_none, all_done, ...)                                                          \
    uint64_t start, end, what = given > 0 ? CLL_KEY(lane->requests[0]) : 0;                                      \
    uint32_t point = POINT(lane);                                                                                \
    int is_vain, follows;                                                                                        \
    start = cll_start(lane);                                                                                     \
    error = real_##name(__VA_ARGS__);                                                                            \
    end = cll_end(lane, start);                                                                                  \
    is_vain = !error && ((found_none) || is_nothing(lane, given));                                               \
    if (is_vain && cll_in_vain(lane, CLL_OP_##name, point, what, start, end)) {                                  \
        let_go(lane, given);                                                                                     \
        return error;                                                                                            \
    }                                                                                                            \
    follows = cll_follows_looks(lane);                                                                           \
    cll_head(lane, CLL_OP_##name, point);                                                                        \
    put_requests(lane, given, lane->requests);                                                                   \
    cll_begin_at(lane, start);                                                                                   \
    if (is_vain) {                                                                                               \
        cll_return_in_vain(lane, CLL_OP_##name, point, what, end, follows);                                      \
        let_go(lane, given);                                                                                     \
        return error;                                                                                            \
    }                                                                                                            \
    cll_return_at(lane, error ? CLL_RETURNED_ERROR : CLL_RETURNED, end);                                         \
    if (error)                                                                                                   \
        cll_put(lane, (uint32_t)error);                                                                          \
    cll_leave(lane);                                                                                             \
    if (!error) {                                                                                                \
        all_done;                                                                                                \
    }                                                                                                            \
    let_go(lane, given);                                                                                         \
    return error;

WRAP(Test, (MPI_Request *request, int *flag, MPI_Status *status))
{
    MPI_Status own;
    KEEP(Test, 1, request, request, flag, status)
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    LOOK_AT(Test, 1, !*flag, done(lane, 0, status), request, flag, status)
}

/* Completes nothing: the request stays as it is. */
WRAP(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
{
    KEEP(Request_get_status, 1, &request, request, flag, status)
    LOOK_AT(Request_get_status, 1, !*flag, , request, flag, status)
}

WRAP(Testany, (int given, MPI_Request requests[], int *index, int *flag, MPI_Status *status))
{
    MPI_Status own;
    KEEP(Testany, given, requests, given, requests, index, flag, status)
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    LOOK_AT(Testany, given, !*flag,
            if (*index != MPI_UNDEFINED) done(lane, *index, status), given, requests, index, flag,
            status)
}

WRAP(Testall, (int given, MPI_Request requests[], int *flag, MPI_Status statuses[]))
{
    KEEP(Testall, given, requests, given, requests, flag, statuses)
    if (statuses == MPI_STATUSES_IGNORE)
        statuses = lane->statuses;
    LOOK_AT(Testall, given, !*flag,
            for (int i = 0; i < given; i++) done(lane, i, &statuses[i]), given, requests, flag,
            statuses)
}

WRAP(Testsome, (int given, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[]))
{
    KEEP(Testsome, given, requests, given, requests, completed, indices, statuses)
    if (statuses == MPI_STATUSES_IGNORE)
        statuses = lane->statuses;
    LOOK_AT(Testsome, given, *completed == 0,
            for (int i = 0; *completed != MPI_UNDEFINED && i < *completed; i++)
                done(lane, indices[i], &statuses[i]),
            given, requests, completed, indices, statuses)
}

static void started(struct cll_lane *lane, MPI_Request request)
{
    struct request *one;
    uint64_t number;

    cll_lock();
    if ((one = find(request, 0)) == NULL) {
        cll_unlock();
        return;
    }
    one->flags |= CLL_ACTIVE;
    number = one->number;
    cll_unlock();
    make_room(lane);
    if (!cll_on)
        return;
    *lane->at++ = CLL_STARTED;
    cll_put_request(lane, number);
    cll_publish(lane);
}

WRAP(Start, (MPI_Request *request))
{
    GUARDED(lane);
    int error;

    if (!lane)
        return real_Start(request);
    HEAD(lane, Start);
    put_requests(lane, 1, request);
    cll_begin(lane);
    error = real_Start(request);
    cll_return(lane, error);
    if (!error)
        started(lane, *request);
    return error;
}

WRAP(Startall, (int given, MPI_Request requests[]))
{
    GUARDED(lane);
    int error, i;

    if (!lane)
        return real_Startall(given, requests);
    HEAD(lane, Startall);
    put_requests(lane, given, requests);
    cll_begin(lane);
    error = real_Startall(given, requests);
    cll_return(lane, error);
    for (i = 0; !error && i < given; i++)
        started(lane, requests[i]);
    return error;
}

WRAP(Cancel, (MPI_Request *request))
{
    GUARDED(lane);
    struct request *one;
    int error;

    if (!lane)
        return real_Cancel(request);
    HEAD(lane, Cancel);
    put_requests(lane, 1, request);
    cll_begin(lane);
    error = real_Cancel(request);
    cll_return(lane, error);
    cll_lock();
    if (!error && (one = find(*request, 0)) != NULL)
        one->flags |= CLL_CANCELLED;
    cll_unlock();
    return error;
}

WRAP(Request_free, (MPI_Request *request))
{
    GUARDED(lane);
    MPI_Request before;
    struct request *one;
    uint64_t number = 0;
    int error;

    if (!lane)
        return real_Request_free(request);
    before = *request;
    HEAD(lane, Request_free);
    put_requests(lane, 1, request);
    cll_begin(lane);
    cll_lock();
    if (before != MPI_REQUEST_NULL && (one = find(before, CLL_CLAIMED)) != NULL) {
        one->flags |= CLL_CLAIMED;
        number = one->number;
    }
    cll_unlock();
    error = real_Request_free(request);
    cll_return(lane, error);
    cll_lock();
    if ((one = find_number(before, number)) != NULL) {
        if (error)
            one->flags &= ~(unsigned)CLL_CLAIMED;
        else
            take_out(one);
    }
    cll_unlock();
    return error;
}
