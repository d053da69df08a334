/* Begin and end of MPI, and the lanes of threads. */
#include "wrapper.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

__thread struct cll_lane *cll_lane __attribute__((tls_model("initial-exec")));
int cll_on, cll_counter, cll_threaded;

/* Lanes of threads that have ended, and the number of lanes. */
static struct cll_lane *free_lanes;
static uint32_t lanes;
static pthread_key_t ends;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern const struct cll_call __start_cll_calls[], __stop_cll_calls[];

void cll_lock(void)
{
    if (cll_threaded)
        pthread_mutex_lock(&lock);
}

void cll_unlock(void)
{
    if (cll_threaded)
        pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void find_calls(void)
{
    const struct cll_call *call;
    for (call = __start_cll_calls; call < __stop_cll_calls; call++)
        *call->real = dlsym(RTLD_NEXT, call->name);
}

static void thread_ends(void *lane)
{
    pthread_mutex_lock(&making);
    ((struct cll_lane *)lane)->next_free = free_lanes;
    free_lanes = lane;
    pthread_mutex_unlock(&making);
}

/* The first call of this thread: takes the lane of a thread that has ended, or a new one. */
struct cll_lane *cll_first_call(void)
{
    struct cll_lane *lane;

    if (!cll_on)
        return NULL;
    pthread_mutex_lock(&making);
    if ((lane = free_lanes) != NULL)
        free_lanes = lane->next_free;
    else if ((lane = calloc(1, sizeof *lane)) != NULL)
        lane->number = lanes++;
    pthread_mutex_unlock(&making);
    if (!lane)
        return NULL;
    /* Another stack: what was known of the last one is not valid here. */
    memset(lane->paths, 0, sizeof lane->paths);
    lane->inside = 0;
    cll_watch_new(lane);
    pthread_setspecific(ends, lane);
    return cll_lane = lane;
}

int cll_renew(struct cll_lane *lane)
{
    uint8_t *block = cll_calls_block(lane->number);
    uint32_t capacity;

    if (!block) {
        cll_on = 0;
        return 0;
    }
    memcpy(&capacity, block + CLL_AT_CAPACITY, sizeof capacity);
    memcpy(&lane->time, block + CLL_AT_TICKS, sizeof lane->time);
    lane->start = lane->time;
    lane->request = 0;
    lane->looks = 0;
    lane->used = (uint32_t *)(block + CLL_AT_USED);
    lane->at = lane->payload = block + CLL_HEADER;
    lane->end = block + capacity;
    lane->limit = lane->end - CLL_ROOM;
    return 1;
}

uint32_t cll_slow_point(struct cll_lane *lane, uintptr_t entry, unsigned slot)
{
    const struct cll_path *path = cll_calls_path(lane->number, entry);
    if (!path)
        return 0;
    lane->paths[slot] = path;
    lane->entries[slot] = entry;
    return path->id;
}

static void report(const char *what)
{
    ssize_t written = write(2, what, strlen(what));
    (void)written;
}

/* Calls that are recorded to learn what that costs, and how often: the quickest trial was not disturbed. */
#define COST_CALLS 200
#define COST_TRIALS 5

/* Records calls in memory that belongs to no log, and writes down how long that took. */
static void tell_cost(struct cll_lane *lane, uintptr_t frame)
{
    uint8_t room[2 * CLL_ROOM], *at = lane->at, *limit = lane->limit, *end = lane->end, *payload = lane->payload;
    uint32_t *used = lane->used, none = 0;
    uint64_t time = lane->time, start = lane->start, least = UINT64_MAX;
    uintptr_t inside = lane->inside;
    int trial, call;

    lane->payload = room;
    lane->end = room + sizeof room;
    lane->limit = lane->end - CLL_ROOM;
    lane->used = &none;
    for (trial = 0; trial < COST_TRIALS; trial++) {
        uint64_t begun = cll_now_ns(), took;
        for (call = 0; call < COST_CALLS; call++) {
            lane->at = room;
            if (!cll_guard(frame))
                break;
            cll_head(lane, CLL_OP_Send, cll_point(lane, frame));
            cll_put(lane, 0), cll_put(lane, 1), cll_put(lane, 2), cll_put(lane, 1000);
            cll_begin(lane);
            cll_return(lane, 0);
        }
        took = cll_now_ns() - begun;
        least = took < least ? took : least;
    }
    lane->at = at;
    lane->limit = limit;
    lane->end = end;
    lane->payload = payload;
    lane->used = used;
    lane->time = time;
    lane->start = start;
    lane->inside = inside;
    cll_calls_cost(COST_CALLS, least);
}

/* Both clocks before MPI begins. */
static uint64_t ticks_before, ns_before;

/* The watched time by the log's clock. */
static uint64_t watched_ticks(void)
{
    double ticks = (double)(cll_ticks() - ticks_before), ns = (double)(cll_now_ns() - ns_before);
    return ns > 0 && ticks > 0 ? (uint64_t)(ticks / ns * CLL_WATCHED_NS) : UINT64_MAX;
}

/* MPI has begun: so does the log. */
static void begin(int threads, uint8_t op, uint64_t start, uintptr_t frame)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int rank = 0, size = 0, length = 0;
    MPI_Comm parent = MPI_COMM_NULL;
    struct cll_lane *lane;
    uint64_t warm;
    int is_watched;

    if (pthread_key_create(&ends, thread_ends) != 0)
        return;
    cll_threaded = threads == MPI_THREAD_MULTIPLE;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Get_library_version(library, &length);
    PMPI_Comm_get_parent(&parent);
    /* Of ranks in turns the computation is timed by its own clock. */
    is_watched = !cll_calls_has_turns();
    if (!cll_calls_begin(rank, size, library, threads, parent != MPI_COMM_NULL, is_watched ? CLL_WATCHED_NS : 0))
        return;
    cll_on = 1;
    if (!(lane = cll_guard(frame)))
        return;
    cll_find_communicator(lane, MPI_COMM_WORLD);
    if (parent != MPI_COMM_NULL)
        cll_found_parent(parent);
    cll_head(lane, op, cll_point(lane, frame));
    cll_begin_at(lane, start);
    if (lane->number == 0 && cll_calls_turns())
        cll_turns_begin();
    /* Before the end is recorded: the first computation has nothing of it. */
    if (!cll_virtual) {
        tell_cost(lane, frame);
        if ((warm = cll_calls_warm_up()) != 0)
            cll_warm_up(warm);
    }
    if (is_watched)
        cll_watched_ticks = watched_ticks();
    cll_return(lane, 0);
    cll_go_on(&lane);
}

/* Libraries of MPIs that are loaded: this wrapper's, and that of the program. */
struct libraries {
    const char *names[2];
    int count;
};

static int find_library(struct dl_phdr_info *info, size_t size, void *found)
{
    struct libraries *libraries = found;
    const char *name = strrchr(info->dlpi_name, '/');

    (void)size;
    name = name ? name + 1 : info->dlpi_name;
    if (strncmp(name, "libmpi.so", 9) == 0 || strncmp(name, "libmpich.so", 11) == 0)
        libraries->names[libraries->count++] = info->dlpi_name;
    return libraries->count == 2;
}

/* A program that loads its MPI while it runs may load another one than that of its launcher. Handles of that one
   mean nothing to the functions of this one. */
static void check_library(void)
{
    struct libraries libraries = {{NULL, NULL}, 0};

    dl_iterate_phdr(find_library, &libraries);
    if (libraries.count < 2)
        return;
    report("cll: the program has loaded another MPI than that of its launcher: ");
    report(libraries.names[0]);
    report(" and ");
    report(libraries.names[1]);
    report("\n  help: name the launcher of its own MPI: CLL_MPIRUN=mpirun.openmpi, CLL_MPIRUN=mpirun.mpich\n");
    _exit(2);
}

static int is_ready(void)
{
    check_library();
    if (cll_calls_version() != CLL_CALLS_VERSION) {
        report("cll: the wrapper of MPI's calls and libcll have different versions; calls are not logged\n");
        return 0;
    }
    cll_counter = cll_calls_start();
    ticks_before = cll_ticks();
    ns_before = cll_now_ns();
    return 1;
}

WRAP(Init, (int *argc, char ***argv))
{
    int ready = is_ready();
    uint64_t start = cll_ticks();
    int error = real_Init(argc, argv);
    if (ready && error == MPI_SUCCESS)
        begin(MPI_THREAD_SINGLE, CLL_OP_Init, start, (uintptr_t)__builtin_frame_address(0));
    return error;
}

WRAP(Init_thread, (int *argc, char ***argv, int required, int *provided))
{
    int ready = is_ready();
    uint64_t start = cll_ticks();
    int error = real_Init_thread(argc, argv, required, provided);
    if (ready && error == MPI_SUCCESS)
        begin(*provided, CLL_OP_Init_thread, start, (uintptr_t)__builtin_frame_address(0));
    return error;
}

WRAP(Finalize, (void))
{
    GUARDED(lane);
    int error;

    if (!lane)
        return real_Finalize();
    HEAD(lane, Finalize);
    cll_begin(lane);
    cll_look_at_core();
    error = real_Finalize();
    cll_return(lane, error);
    cll_on = 0;
    cll_calls_end(lanes);
    return error;
}

WRAP(Abort, (MPI_Comm comm, int code))
{
    GUARDED(lane);
    if (lane) {
        HEAD(lane, Abort);
        cll_begin(lane);
    }
    return real_Abort(comm, code);
}
