/* Whether ranks have cores for themselves, and waiting until they do. */
#include "wrapper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t cll_watched_ticks = UINT64_MAX;

uint64_t cll_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Less time without a core than this is not told from the clocks' error. */
#define OFF_CORE_NS 10000

/* How long the thread has been ready to run without a core; 0: the system does not say it. */
static int read_ready(uint64_t *ready)
{
    char text[64], *next;
    ssize_t length = -1;
    int before = errno, file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);

    if (file >= 0) {
        length = read(file, text, sizeof text - 1);
        close(file);
    }
    if (length > 0) {
        /* The time on a core, then the time ready. */
        text[length] = 0;
        strtoull(text, &next, 10);
        *ready = strtoull(next, NULL, 10);
    }
    errno = before;
    return length > 0;
}

/* Reads the thread's clock. Returns how long it had no core since the last time, and how long of that it was ready. */
static uint64_t off_core(struct cll_lane *lane, uint64_t *ready)
{
    struct timespec used;
    uint64_t now = cll_now_ns(), used_ns, took, had, off;

    *ready = 0;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0)
        return 0;
    used_ns = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
    took = now - lane->read_ns;
    had = used_ns - lane->used_ns;
    off = took > had ? took - had : 0;
    lane->read_ns = now;
    lane->used_ns = used_ns;
    if (off < OFF_CORE_NS)
        return 0;
    if (lane->knows_ready) {
        uint64_t before = lane->ready_ns;
        lane->knows_ready = read_ready(&lane->ready_ns);
        *ready = lane->ready_ns - before;
        if (*ready > off)
            *ready = off;
    }
    return off;
}

/* What follows is watched, what was before is not. */
void cll_watch(struct cll_lane *lane)
{
    uint64_t ready;
    off_core(lane, &ready);
}

/* The thread was out of MPI until now. In the short calls and pauses since the clock was read it had its core: they would
   not be short otherwise. */
void cll_watch_between(struct cll_lane *lane)
{
    uint64_t ready, off = off_core(lane, &ready);
    lane->off_ns += off;
    lane->off_ready_ns += ready;
}

/* The lane has a new thread. */
void cll_watch_new(struct cll_lane *lane)
{
    lane->knows_ready = read_ready(&lane->ready_ns);
    lane->off_ns = lane->off_ready_ns = lane->used_ns = lane->read_ns = 0;
    lane->out = cll_ticks();
    cll_watch(lane);
}

/* Additions that do not need each other fill the width of a core. If another program uses its other hardware thread, as
 * one of another virtual machine may, they take longer; additions that wait for each other do not. */
#define WIDTH_STEPS 5000
#define WIDTH_TRIALS 10
#define ADD4(a, b, c, d)                                                                                         \
    do {                                                                                                         \
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));                                               \
        a++, b++, c++, d++;                                                                                      \
    } while (0)
#define ADD16                                                                                                    \
    do {                                                                                                         \
        ADD4(a, b, c, d);                                                                                        \
        ADD4(e, f, g, h);                                                                                        \
        ADD4(a, b, c, d);                                                                                        \
        ADD4(e, f, g, h);                                                                                        \
    } while (0)

static uint64_t width(void)
{
    uint64_t least = UINT64_MAX, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    int trial, step;

    for (trial = 0; trial < WIDTH_TRIALS; trial++) {
        uint64_t begun = cll_now_ns(), took;
        for (step = 0; step < WIDTH_STEPS; step++) {
            ADD16;
            ADD16;
            ADD16;
            ADD16;
        }
        took = cll_now_ns() - begun;
        least = took < least ? took : least;
    }
    return least;
}

/* How long ranks wait for whole cores, the pause between two looks, how much longer the loop may take (as in
 * `had_whole_cores` of `analysis`), and how often it must take no longer. */
#define WHOLE_LIMIT 500000000u
#define WHOLE_PAUSE 5000000u
#define WHOLE_SHARE 1.05
#define WHOLE_LOOKS 4

static void spin(uint64_t ns)
{
    uint64_t begun = cll_now_ns();
    while (cll_now_ns() - begun < ns)
        ;
}

/* Whether no host has more ranks than cores: with more, ranks wait for each other's cores, warm or not. */
static int has_cores(void)
{
    MPI_Comm host;
    int ranks = 0, crowded, any = 1;

    if (PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) != MPI_SUCCESS)
        return 0;
    PMPI_Comm_size(host, &ranks);
    PMPI_Comm_free(&host);
    crowded = ranks > sysconf(_SC_NPROCESSORS_ONLN);
    PMPI_Allreduce(&crowded, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return !any;
}

static int is_warm;

/* Computes for a while, at the same time as the other ranks: a clock that was low rises, and a virtual machine that had
   little to do gets cores of its own. */
void cll_warm_up(uint64_t ns)
{
    uint64_t whole = cll_calls_whole_core(), entered = cll_now_ns(), begun, own[2], all[2];
    int looks = 0;

    if (!(is_warm = has_cores()))
        return;
    PMPI_Barrier(MPI_COMM_WORLD);
    spin(ns);
    begun = cll_now_ns();
    do {
        PMPI_Barrier(MPI_COMM_WORLD);
        own[0] = width();
        own[1] = cll_now_ns() - begun;
        /* All decide the same. */
        PMPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
        looks = (double)all[0] <= WHOLE_SHARE * (double)whole ? looks + 1 : 0;
        if (whole && looks == 0)
            spin(WHOLE_PAUSE);
    } while (whole && looks < WHOLE_LOOKS && all[1] < WHOLE_LIMIT);
    PMPI_Barrier(MPI_COMM_WORLD);
    cll_calls_width(own[0], cll_now_ns() - entered);
}

/* Had the rank a whole core until now? */
void cll_look_at_core(void)
{
    uint64_t begun, took;

    if (!is_warm)
        return;
    /* Waiting for the others is the program's: MPI_Finalize waits, too. */
    PMPI_Barrier(MPI_COMM_WORLD);
    begun = cll_now_ns();
    took = width();
    cll_calls_width(took, cll_now_ns() - begun);
}
