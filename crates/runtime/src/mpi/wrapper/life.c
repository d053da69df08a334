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

struct cll_lane *cll_unrecorded(uint64_t **count, const char *name, uintptr_t frame)
{
    struct cll_lane *lane = cll_lane;
    uint64_t *known;

    if ((!lane && !(lane = cll_first_call())) || !cll_on || lane->inside > frame)
        return NULL;
    lane->inside = frame;
    if (count) {
        if (!(known = __atomic_load_n(count, __ATOMIC_ACQUIRE))) {
            known = cll_calls_unrecorded(name);
            __atomic_store_n(count, known, __ATOMIC_RELEASE);
        }
        if (known)
            __atomic_fetch_add(known, 1, __ATOMIC_RELAXED);
    }
    /* Others may have to compute before it returns. */
    if (__builtin_expect(cll_virtual, 0) && lane->number == 0)
        cll_virtual_now = cll_calls_pause();
    return lane;
}

void cll_unrecorded_left(struct cll_lane *lane)
{
    if (!lane)
        return;
    if (__builtin_expect(cll_virtual, 0) && lane->number == 0 && cll_on)
        cll_calls_resume();
    lane->inside = 0;
}

/* libcll's own calls in this thread begin or end. */
__attribute__((visibility("default"))) void cll_calls_own(int is_own)
{
    struct cll_lane *lane = cll_lane;
    if (lane || (is_own && (lane = cll_first_call()) != NULL))
        lane->inside = is_own ? UINTPTR_MAX : 0;
}

/* In a trial of what calls cost: the path to each, that to MPI_Init. */
static const struct cll_path *trial_path;

uint32_t cll_slow_point(struct cll_lane *lane, uintptr_t entry, unsigned slot)
{
    const struct cll_path *path = trial_path ? trial_path : cll_calls_path(lane->number, entry);
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

/* A program without this wrapper would not have begun. */
void cll_missing(const char *name)
{
    report("cll: the MPI that is loaded has no ");
    report(name);
    report(": it is not the one that the wrapper was compiled for\n"
           "  help: CLL_MPICC names the compiler of the program's own MPI\n");
    _exit(2);
}

/* Rounds of calls that are made to learn what recording them costs, and how often: the quickest trial was not
   disturbed. */
#define COST_ROUNDS 100
#define COST_CALLS (3 * COST_ROUNDS)
#define COST_TRIALS 5
#define COST_ROOM 65536

/* What calls of a trial do in place of MPI. */
static int no_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    (void)buf, (void)count, (void)type, (void)source, (void)tag, (void)comm;
    memset(request, 1, sizeof *request);
    return MPI_SUCCESS;
}

static int no_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    (void)buf, (void)count, (void)type, (void)dest, (void)tag, (void)comm;
    return MPI_SUCCESS;
}

static int no_Wait(MPI_Request *request, MPI_Status *status)
{
    *request = MPI_REQUEST_NULL;
    memset(status, 0, sizeof *status);
    return MPI_SUCCESS;
}

static const struct {
    const char *name;
    void *by;
} in_trial[] = {{"PMPI_Irecv", (void *)no_Irecv}, {"PMPI_Send", (void *)no_Send}, {"PMPI_Wait", (void *)no_Wait}};
#define IN_TRIAL (sizeof in_trial / sizeof *in_trial)

/* Exchanges the functions behind these calls with those in `other`. */
static void exchange(void **other)
{
    const struct cll_call *call;
    size_t i;

    for (call = __start_cll_calls; call < __stop_cll_calls; call++)
        for (i = 0; i < IN_TRIAL; i++)
            if (!strcmp(call->name, in_trial[i].name)) {
                void *before = *call->real;
                *call->real = other[i];
                other[i] = before;
            }
}

/* Makes calls through their entries that reach no MPI, records them in memory that belongs to no log, and writes down how
   long that took. */
static void tell_cost(struct cll_lane *lane, uintptr_t frame)
{
    uint8_t *room = malloc(COST_ROOM), *at = lane->at, *limit = lane->limit, *end = lane->end, *payload = lane->payload;
    uint32_t *used = lane->used, none = 0;
    uint64_t time = lane->time, start = lane->start, request_before = lane->request, least = UINT64_MAX;
    void *functions[IN_TRIAL];
    int trial, round;
    size_t i;

    if (!room)
        return;
    for (i = 0; i < CLL_PATHS; i++)
        if (lane->paths[i])
            trial_path = lane->paths[i];
    for (i = 0; i < IN_TRIAL; i++)
        functions[i] = in_trial[i].by;
    exchange(functions);
    lane->payload = lane->at = room;
    lane->end = room + COST_ROOM;
    lane->limit = lane->end - CLL_ROOM;
    lane->used = &none;
    lane->inside = 0;
    for (trial = 0; trial < COST_TRIALS && trial_path; trial++) {
        uint64_t begun = cll_now_ns(), took;
        for (round = 0; round < COST_ROUNDS; round++) {
            MPI_Request request;
            PMPI_Irecv(NULL, 1000, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
            PMPI_Send(NULL, 1000, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        took = cll_now_ns() - begun;
        least = took < least ? took : least;
    }
    exchange(functions);
    memset(lane->paths, 0, sizeof lane->paths);
    lane->at = at;
    lane->limit = limit;
    lane->end = end;
    lane->payload = payload;
    lane->used = used;
    lane->time = time;
    lane->start = start;
    lane->request = request_before;
    lane->looks = 0;
    lane->inside = frame;
    if (trial_path)
        cll_calls_cost(COST_CALLS, least);
    trial_path = NULL;
    free(room);
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
    report("\n  help: name the launcher of its own MPI: CLL_MPIRUN=mpirun.openmpi, CLL_MPIRUN=mpirun.mpich; or its compiler, "
           "if the wrapper was compiled for another MPI: CLL_MPICC=/path/to/mpicc\n");
    _exit(2);
}

static int has_begun;

static int is_ready(void)
{
    check_library();
    has_begun = 1;
    if (cll_calls_version() != CLL_CALLS_VERSION) {
        report("cll: the wrapper of MPI's calls and libcll have different versions; calls are not logged\n");
        return 0;
    }
    cll_counter = cll_calls_start();
    ticks_before = cll_ticks();
    ns_before = cll_now_ns();
    return 1;
}

#if MPI_VERSION >= 4
/* A log begins with MPI_Init: a program that has only sessions has no MPI_COMM_WORLD. */
static int has_session;

WRAP(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session))
{
    has_session = 1;
    return real_Session_init(info, handler, session);
}

__attribute__((destructor)) static void tell_session(void)
{
    if (has_session && !has_begun)
        report("cll: the program has begun MPI with MPI_Session_init and not with MPI_Init: its calls are not logged\n");
}
#endif

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
