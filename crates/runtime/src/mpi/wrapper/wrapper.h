/* The wrapper around MPI calls, loaded before the MPI of a program that is logged (LD_PRELOAD).
 *
 * Each call is defined here under both its names, MPI_ and PMPI_: C calls the first; the Fortran bindings of
 * Open MPI call the second, those of MPICH either. Calls that an MPI makes itself during a call are not
 * recorded. Records are those of docs/formats/trace.md, kind 4; blocks, tables and paths belong to libcll
 * (`cll_calls_*`).
 *
 * A record is complete before the block's length includes it, and the begin of a call is recorded before the
 * call is made: so if a process dies in a call, or waits in it for ever, the log has its place. */
#ifndef CLL_WRAPPER_H
#define CLL_WRAPPER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <mpi.h>
#if defined OPEN_MPI && MPI_VERSION < 4 && defined __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "codes.h"

#if MPI_VERSION < 3
#error "MPI 3.0 or later is needed"
#endif

/* MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for an array. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* The largest record of a call's begin and return, in bytes. */
#define CLL_ROOM 256
/* The largest of each further record about it, in bytes. */
#define CLL_PIECE 64
/* In a block: the offset of its payload, and of some fields. */
#define CLL_HEADER 80
#define CLL_AT_CAPACITY 8
#define CLL_AT_USED 12
#define CLL_AT_TICKS 32
#define CLL_PATHS 512
/* Different unsuccessful polls that may alternate before those at one place are counted together. */
#define CLL_LOOKS 64
#define CLL_TYPES 32
#define CLL_ANY (-1)
#define CLL_NOBODY (-2)

/* The path to a call; created by libcll, and never freed. */
struct cll_path {
    /* Number of the place + 1; 0: not recorded. */
    uint32_t id, count;
    /* The position of each return address, and the address. */
    const uintptr_t *frames;
};

/* Functions of libcll for the wrapper. */
uint32_t cll_calls_version(void);
int cll_calls_start(void);
int cll_calls_begin(int rank, int count, const char *library, int threads, int is_started, uint64_t watched_ns);
uint64_t cll_calls_warm_up(void);
uint64_t cll_calls_whole_core(void);
void cll_calls_width(uint64_t ns, uint64_t spent_ns);
void cll_calls_cost(uint32_t calls, uint64_t ns);
void *cll_calls_block(uint32_t lane);
const struct cll_path *cll_calls_path(uint32_t lane, uintptr_t entry);
void cll_calls_communicator(uint32_t id, int64_t parent, const char *made_by, int rank, int count, const int *ranks,
                            int remote, const int *others, const char *link);
void cll_calls_starts(char *link, size_t room, char *setting, size_t setting_room);
void cll_calls_started_by(char *link, size_t room);
void cll_calls_window(uint32_t id, uint32_t communicator);
void cll_calls_end(uint32_t lanes);
uint64_t *cll_calls_unrecorded(const char *name);
/* Of ranks that compute in turns (turns.c). */
int cll_calls_has_turns(void);
int cll_calls_turns(void);
uint64_t cll_calls_pause(void);
void cll_calls_resume(void);
uint32_t cll_calls_rings(void);
void cll_calls_doze(uint32_t seen, uint32_t polls);
void cll_calls_ring(int rank);
void cll_calls_meet(uint32_t communicator, uint32_t size);
void cll_calls_ask(void);
#define CLL_CALLS_VERSION 6

/* An unsuccessful poll that may be repeated: its record's counters, the time of the first one, what it has
   polled. */
struct cll_look {
    uint8_t *counters;
    uint64_t start, what;
    uint32_t point;
    uint8_t op;
};

/* The state of a recording thread. */
struct cll_lane {
    uint8_t *at, *limit, *end, *payload;
    uint32_t *used;
    /* Times of the last begin or return, and of the last begin; the last request's number. */
    uint64_t time, start, request;
    /* When the last call returned, also one without a record of its own; and since when the processor time was not
       read: by the thread's clock, by the system's, and the time that the thread was ready without a core. */
    uint64_t out, used_ns, read_ns, ready_ns;
    /* Without a core since the last record of a begin, and ready then. */
    uint64_t off_ns, off_ready_ns;
    /* Whether the time that it was ready is known. */
    int knows_ready;
    /* Frame of the call in progress; 0: none. */
    uintptr_t inside;
    uint32_t number;
    /* Unsuccessful polls since the last other record: the end of their records, their number, and the last one. */
    uint8_t *looks_end;
    unsigned looks, last_look;
    struct cll_look look[CLL_LOOKS];
    /* The last communicator that was used. */
    uint64_t communicator;
    const struct cll_communicator *known;
    unsigned epoch;
    const struct cll_path *paths[CLL_PATHS];
    uintptr_t entries[CLL_PATHS];
    struct {
        uint64_t type;
        int size;
    } types[CLL_TYPES];
    unsigned types_epoch;
    /* Room for the requests of one call. */
    MPI_Request *requests;
    MPI_Status *statuses;
    /* Numbers of the requests that the call has claimed; 0: none. */
    uint64_t *claims;
    int room;
    struct cll_lane *next_free;
};

struct cll_communicator {
    uint64_t handle;
    uint32_t id;
    /* Of the local group, and of the other group of an intercommunicator. */
    int rank, size, remote, is_inter;
};

/* Where and since when a call runs. */
struct cll_found {
    int source, tag;
    uint64_t bytes;
};

/* Private to this library: accessed without the table for symbols that others may define. */
#define CLL_OWN __attribute__((visibility("hidden")))
extern CLL_OWN __thread struct cll_lane *cll_lane __attribute__((tls_model("initial-exec")));
extern CLL_OWN int cll_on, cll_counter, cll_threaded;
extern CLL_OWN unsigned cll_communicator_epoch, cll_type_epoch;
/* Whether ranks compute in turns, and the time of this one's own clock in the call in progress. */
extern CLL_OWN int cll_virtual;
extern CLL_OWN uint64_t cll_virtual_now;
void cll_turns_begin(void);
void cll_meet(const struct cll_communicator *);
int cll_complete(MPI_Request *);
uint64_t cll_now_ns(void);
void cll_warm_up(uint64_t ns);
void cll_look_at_core(void);
/* From this time on between two calls, and in a call, the processor time of the thread is read. */
#define CLL_WATCHED_NS 100000
extern CLL_OWN uint64_t cll_watched_ticks;
void cll_watch(struct cll_lane *);
void cll_watch_between(struct cll_lane *);
void cll_watch_new(struct cll_lane *);

struct cll_lane *cll_first_call(void);
int cll_renew(struct cll_lane *);
uint32_t cll_slow_point(struct cll_lane *, uintptr_t entry, unsigned slot);
void cll_found_parent(MPI_Comm parent);
const struct cll_communicator *cll_find_communicator(struct cll_lane *, MPI_Comm);
uint32_t cll_made_communicator(MPI_Comm parent, MPI_Comm made, const char *by, int is_ready);
uint32_t cll_find_window(MPI_Win);
uint64_t cll_find_type(struct cll_lane *, MPI_Datatype);
void cll_lock(void);
void cll_unlock(void);

enum { CLL_RECEIVES = 1, CLL_PERSISTENT = 2, CLL_ACTIVE = 4, CLL_CANCELLED = 8, CLL_CLAIMED = 16 };
uint64_t cll_new_request(void);
void cll_add_request(MPI_Request, uint64_t number, unsigned flags, int source, int tag, uint64_t bytes);

/* Names of what differs between C and Fortran: a function of MPI without this wrapper. */
struct cll_call {
    const char *name;
    void **real;
};

#define WRAP(name, parameters) WRAP_AS(MPI_, name, parameters)
/* The same for a function whose name begins with `prefix`. */
#define WRAP_AS(prefix, name, parameters)                                                                        \
    static int(*real_##name) parameters;                                                                         \
    static const struct cll_call call_##name                                                                     \
        __attribute__((used, section("cll_calls"))) = {"P" #prefix #name, (void **)&real_##name};                \
    __attribute__((visibility("default"))) int P##prefix##name parameters;                                       \
    __attribute__((visibility("default"), alias("P" #prefix #name))) int prefix##name parameters;                \
    int P##prefix##name parameters

/* The lane, if this call without records counts: the program has made it. */
struct cll_lane *cll_unrecorded(uint64_t **count, const char *name, uintptr_t frame);
void cll_unrecorded_left(struct cll_lane *);
void cll_missing(const char *name);

/* A call without records (entries.c): it is counted. During it MPI's own calls are not recorded. If `COUNT` is 0, that
   is all. */
#define UNRECORDED(name, parameters, arguments, COUNT)                                                           \
    static int(*real_##name) parameters;                                                                         \
    static uint64_t *count_##name;                                                                               \
    static const struct cll_call call_##name                                                                     \
        __attribute__((used, section("cll_calls"))) = {"P" #name, (void **)&real_##name};                        \
    __attribute__((visibility("default"))) int P##name parameters;                                               \
    __attribute__((visibility("default"), alias("P" #name))) int name parameters;                                \
    int P##name parameters                                                                                       \
    {                                                                                                            \
        uintptr_t frame_ = (uintptr_t)__builtin_frame_address(0);                                                \
        struct cll_lane *lane_ = cll_unrecorded(COUNT ? &count_##name : NULL, #name, frame_);                    \
        int error_;                                                                                              \
        if (!real_##name)                                                                                        \
            cll_missing(#name);                                                                                  \
        error_ = real_##name arguments;                                                                          \
        cll_unrecorded_left(lane_);                                                                              \
        return error_;                                                                                           \
    }

static inline uint64_t cll_ticks(void)
{
    if (__builtin_expect(cll_virtual, 0))
        return cll_virtual_now;
#if defined __x86_64__
    if (__builtin_expect(cll_counter, 1)) {
        uint32_t low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        return (uint64_t)high << 32 | low;
    }
#elif defined __aarch64__
    if (__builtin_expect(cll_counter, 1)) {
        uint64_t now;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
        return now;
    }
#endif
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Writes a number; returns the place of the next one. The written bytes may overlap any memory, even the lane's
 * own fields. So a caller that writes several numbers keeps the place in a local variable; otherwise each would
 * wait for the one before. */
static inline uint8_t *cll_number(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *cll_signed(uint8_t *at, int64_t value)
{
    return cll_number(at, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void cll_put(struct cll_lane *lane, uint64_t value)
{
    lane->at = cll_number(lane->at, value);
}

static inline void cll_put_signed(struct cll_lane *lane, int64_t value)
{
    lane->at = cll_signed(lane->at, value);
}

static inline void cll_put_request(struct cll_lane *lane, uint64_t number)
{
    cll_put_signed(lane, (int64_t)(number - lane->request));
    lane->request = number;
}

/* Makes everything written so far part of the block. */
static inline void cll_publish(struct cll_lane *lane)
{
    __atomic_store_n(lane->used, (uint32_t)(lane->at - lane->payload), __ATOMIC_RELEASE);
}

/* The number of the place from which this call was made. */
static inline uint32_t cll_point(struct cll_lane *lane, uintptr_t frame)
{
#if defined __x86_64__
    uintptr_t entry = frame + sizeof(void *);
    unsigned slot = (unsigned)((*(uintptr_t *)entry ^ entry >> 4) * 0x9E3779B97F4A7C15u >> 55) % CLL_PATHS;
    const struct cll_path *path = lane->paths[slot];
    if (__builtin_expect(path && lane->entries[slot] == entry, 1)) {
        const uintptr_t *frames = path->frames, *end = frames + 2 * path->count;
        /* The outer part of the stack exists as long as the program's functions. */
        while (frames != end && *(volatile uintptr_t *)frames[0] == frames[1])
            frames += 2;
        if (__builtin_expect(frames == end, 1))
            return path->id;
    }
    return cll_slow_point(lane, entry, slot);
#else
    return cll_slow_point(lane, frame, 0);
#endif
}

/* The lane of the calling thread, with room for a record, if this call is recorded. */
static inline __attribute__((always_inline)) struct cll_lane *cll_guard(uintptr_t frame)
{
    struct cll_lane *lane = cll_lane;
    if (__builtin_expect(!lane, 0) && !(lane = cll_first_call()))
        return NULL;
    /* The frame of a call in progress is further out, unless it was left by a jump. */
    if (__builtin_expect(!cll_on || lane->inside > frame, 0))
        return NULL;
    if (__builtin_expect(lane->at >= lane->limit, 0) && !cll_renew(lane))
        return NULL;
    lane->inside = frame;
    if (__builtin_expect(cll_virtual, 0) && lane->number == 0)
        cll_virtual_now = cll_calls_pause();
    return lane;
}

/* The call returns to the program. */
static inline __attribute__((always_inline)) void cll_go_on(struct cll_lane **lane)
{
    if (__builtin_expect(cll_virtual, 0) && *lane && (*lane)->number == 0 && cll_on)
        cll_calls_resume();
}

static inline __attribute__((always_inline)) void cll_head(struct cll_lane *lane, uint8_t op, uint32_t point)
{
    uint8_t *at = lane->at;
    *at++ = op;
    lane->at = cll_number(at, point);
}

/* A call begins: the time. */
static inline uint64_t cll_start(struct cll_lane *lane)
{
    uint64_t start = cll_ticks();
    if (__builtin_expect(start - lane->out > cll_watched_ticks, 0)) {
        cll_watch_between(lane);
        start = cll_ticks();
    }
    return start;
}

/* A call has returned: the time. */
static inline uint64_t cll_end(struct cll_lane *lane, uint64_t start)
{
    uint64_t end = cll_ticks();
    if (__builtin_expect(end - start > cll_watched_ticks, 0)) {
        cll_watch(lane);
        end = cll_ticks();
    }
    lane->out = end;
    return end;
}

static inline void cll_put_off_core(struct cll_lane *lane)
{
    uint8_t *at = lane->at;
    *at++ = CLL_OFF_CORE;
    at = cll_number(at, lane->off_ns);
    lane->at = cll_number(at, lane->knows_ready ? lane->off_ready_ns + 1 : 0);
    lane->off_ns = lane->off_ready_ns = 0;
}

/* The call began at `start`. */
static inline void cll_begin_at(struct cll_lane *lane, uint64_t start)
{
    int64_t since = (int64_t)(start - lane->time);
    lane->time = lane->start = start;
    cll_put_signed(lane, since);
    if (__builtin_expect(lane->off_ns != 0, 0))
        cll_put_off_core(lane);
    cll_publish(lane);
}

static inline void cll_begin(struct cll_lane *lane)
{
    cll_begin_at(lane, cll_start(lane));
}

static inline void cll_return_at(struct cll_lane *lane, uint8_t how, uint64_t end)
{
    uint8_t *at = lane->at;
    uint64_t took = end - lane->start;
    lane->time = end;
    *at++ = how;
    lane->at = cll_number(at, took);
}

static inline void cll_leave(struct cll_lane *lane)
{
    cll_publish(lane);
    lane->inside = 0;
}

/* The call has returned. */
static inline void cll_return(struct cll_lane *lane, int error)
{
    uint64_t end = cll_end(lane, lane->start);
    cll_return_at(lane, error ? CLL_RETURNED_ERROR : CLL_RETURNED, end);
    if (error)
        cll_put(lane, (uint32_t)error);
    cll_leave(lane);
}

static inline void cll_put_found(struct cll_lane *lane, const struct cll_found *found)
{
    struct cll_found all = *found;
    lane->at = cll_number(cll_signed(cll_signed(lane->at, all.source), all.tag), all.bytes);
}

/* It has returned with a message, which may have the requested source and tag. */
static inline void cll_return_found(struct cll_lane *lane, int error, const struct cll_found *requested,
                                    const struct cll_found *found)
{
    if (error || (requested->source == found->source && requested->tag == found->tag && requested->bytes == found->bytes)) {
        cll_return(lane, error);
        return;
    }
    cll_return_at(lane, CLL_RETURNED_GOT, cll_end(lane, lane->start));
    cll_put_found(lane, found);
    cll_leave(lane);
}

/* It has created a communicator or a window, which is recorded already. */
static inline void cll_return_new(struct cll_lane *lane, int error, uint64_t end, uint32_t id, int is_new)
{
    cll_return_at(lane, error ? CLL_RETURNED_ERROR : is_new ? CLL_RETURNED_NEW : CLL_RETURNED, end);
    if (error || is_new)
        cll_put(lane, error ? (uint32_t)error : id);
    cll_leave(lane);
}

/* Finds the unsuccessful poll that this one repeats; NULL: it is a new one. Mostly it is the one after the
 * last, since programs poll in turn. If there are too many, those at the place of the last one are counted with
 * it. */
static inline struct cll_look *cll_find_look(struct cll_lane *lane, uint8_t op, uint32_t point, uint64_t what)
{
    unsigned next = lane->last_look + 1 < lane->looks ? lane->last_look + 1 : 0, i;
    struct cll_look *one = &lane->look[next];

    if (one->what == what && one->op == op && one->point == point)
        return lane->last_look = next, one;
    one = &lane->look[lane->last_look];
    if (lane->looks == CLL_LOOKS && one->op == op && one->point == point)
        return one;
    for (i = 0; i < lane->looks; i++) {
        one = &lane->look[i];
        if (one->op == op && one->point == point && (one->what == what || lane->looks == CLL_LOOKS))
            return lane->last_look = i, one;
    }
    return NULL;
}

/* An unsuccessful poll within these times. If the same poll was made before, with only unsuccessful polls
 * since, its record counts one more. */
static inline int cll_in_vain(struct cll_lane *lane, uint8_t op, uint32_t point, uint64_t what, uint64_t start,
                              uint64_t end)
{
    struct cll_look *one;
    uint64_t span, inside;
    uint32_t count;

    if (!lane->looks || lane->looks_end != lane->at || !(one = cll_find_look(lane, op, point, what)))
        return 0;
    memcpy(&count, one->counters, sizeof count);
    if (count == UINT32_MAX) {
        lane->looks = 0;
        return 0;
    }
    count++;
    span = end - one->start;
    memcpy(&inside, one->counters + 12, sizeof inside);
    inside += end - start;
    memcpy(one->counters, &count, sizeof count);
    memcpy(one->counters + 4, &span, sizeof span);
    memcpy(one->counters + 12, &inside, sizeof inside);
    lane->inside = 0;
    return 1;
}

/* The return of an unsuccessful poll. Later times are relative to its begin, since the time of its last return
   may change. */
static inline void cll_return_in_vain(struct cll_lane *lane, uint8_t op, uint32_t point, uint64_t what, uint64_t end,
                                      int follows)
{
    uint64_t took = end - lane->start;
    uint32_t count = 1;

    if (!follows || lane->looks == CLL_LOOKS)
        lane->looks = 0;
    *lane->at++ = CLL_UNSUCCESSFUL;
    lane->last_look = lane->looks++;
    lane->look[lane->last_look] = (struct cll_look){lane->at, lane->start, what, point, op};
    memcpy(lane->at, &count, sizeof count);
    memcpy(lane->at + 4, &took, sizeof took);
    memcpy(lane->at + 12, &took, sizeof took);
    lane->at += 20;
    lane->looks_end = lane->at;
    cll_leave(lane);
}

/* Whether the record that begins now follows unsuccessful polls. */
static inline int cll_follows_looks(const struct cll_lane *lane)
{
    return lane->looks && lane->looks_end == lane->at;
}

static inline uint64_t cll_key(const void *handle, size_t size)
{
    uint64_t key = 0;
    memcpy(&key, handle, size);
    return key;
}
#define CLL_KEY(handle) cll_key(&(handle), sizeof(handle))

static inline const struct cll_communicator *cll_comm(struct cll_lane *lane, MPI_Comm communicator)
{
    if (__builtin_expect(lane->known && lane->communicator == CLL_KEY(communicator) &&
                             lane->epoch == __atomic_load_n(&cll_communicator_epoch, __ATOMIC_ACQUIRE),
                         1))
        return lane->known;
    return cll_find_communicator(lane, communicator);
}

static inline uint64_t cll_bytes(struct cll_lane *lane, uint64_t count, MPI_Datatype type)
{
    uint64_t key = CLL_KEY(type);
    unsigned slot = (unsigned)(key * 0x9E3779B97F4A7C15u >> 59) % CLL_TYPES;
    if (__builtin_expect(lane->types[slot].type == key &&
                             lane->types_epoch == __atomic_load_n(&cll_type_epoch, __ATOMIC_ACQUIRE),
                         1))
        return count * (uint64_t)lane->types[slot].size;
    return count * cll_find_type(lane, type);
}

static inline int cll_partner(int rank)
{
    return rank == MPI_ANY_SOURCE ? CLL_ANY : rank == MPI_PROC_NULL ? CLL_NOBODY : rank;
}

static inline int cll_tag(int tag)
{
    return tag == MPI_ANY_TAG ? CLL_ANY : tag;
}

/* What a status says about a message. */
static inline struct cll_found cll_received(const MPI_Status *status)
{
    struct cll_found found = {cll_partner(status->MPI_SOURCE), cll_tag(status->MPI_TAG), 0};
#if defined OPEN_MPI
    found.bytes = status->_ucount;
#else
    MPI_Count bytes = 0;
    if (PMPI_Get_elements_x(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes > 0)
        found.bytes = (uint64_t)bytes;
#endif
    return found;
}

#define GUARD() cll_guard((uintptr_t)__builtin_frame_address(0))
#define GUARDED(lane) __attribute__((cleanup(cll_go_on))) struct cll_lane *lane = GUARD()
#define POINT(lane) cll_point(lane, (uintptr_t)__builtin_frame_address(0))
#define HEAD(lane, op) cll_head(lane, CLL_OP_##op, POINT(lane))

/* A call for which `PUT` writes its data; it can use `lane`. */
#define CALL(name, parameters, arguments, PUT)                                                                   \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        HEAD(lane, name);                                                                                        \
        PUT;                                                                                                     \
        cll_begin(lane);                                                                                         \
        error = real_##name arguments;                                                                           \
        cll_return(lane, error);                                                                                 \
        return error;                                                                                            \
    }

/* A call that returns a `request`. */
#define CALL_BY_REQUEST(name, parameters, arguments, PUT)                                                        \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        uint64_t number;                                                                                         \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        HEAD(lane, name);                                                                                        \
        PUT;                                                                                                     \
        cll_put_request(lane, number = cll_new_request());                                                       \
        cll_begin(lane);                                                                                         \
        error = real_##name arguments;                                                                           \
        cll_return(lane, error);                                                                                 \
        if (!error)                                                                                              \
            cll_add_request(*request, number, CLL_ACTIVE, 0, 0, 0);                                              \
        return error;                                                                                            \
    }

#endif
