/*
 * markers RUNS THREADS: what a region costs.
 *
 * In each run every variant is measured once, in batches by all threads at once; between
 * batches the threads rest, so that a launcher can take away what was recorded. Prints
 * a line per variant, run and thread:
 *
 *     VARIANT WORK RUN THREAD NANOSECONDS SWITCHES
 *
 * nanoseconds for one execution, and how often the thread was interrupted by others.
 * VARIANT is `bare` (the work alone), `floor` (two reads of the counter around it
 * and a record of 40 bytes stored), `marked` (what `cll cc` makes of a region with
 * two values) or `off` (the same with the gate closed). WORK is what it is meant to take, ns.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "cll.h"

static const char *const variables[] = { "N", "P" };
static const struct cll_place places[] = {
    { "region", "region[0]", "markers.c", "marked", 1, 2, 2, 1, variables }
};
static struct cll_unit unit = { CLL_VERSION, 1, places, "markers.c", "sequential", "", 0, 0 };
__attribute__((constructor(101))) static void register_unit(void)
{
    cll_register_unit(&unit);
}

struct region { struct cll_frame frame; double values[2]; };

static inline void region_begin(struct region *region, double n, double p)
{
    if (!cll_is_on()) {
        region->frame.context = 0;
        return;
    }
    region->values[0] = n;
    region->values[1] = p;
    cll_enter(&region->frame, &unit, 0);
}

static inline void region_end(struct region *region)
{
    cll_leave(&region->frame, &unit, 0, region->values, 2, 0);
}

static inline void region_close(struct region *region)
{
    cll_leave(&region->frame, &unit, 0, region->values, 2, CLL_LEFT);
}

/* A chain in which each step needs the one before. */
static inline uint64_t work(uint64_t x, int steps)
{
    for (int i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static __thread uint64_t sink;
static __thread unsigned char *ring;
static __thread size_t at;

static __attribute__((noinline)) void bare(int count, int steps)
{
    uint64_t x = sink;
    for (int i = 0; i < count; i++) {
        x = work(x, steps);
        __asm__ volatile("" : "+r"(x) : : "memory");
    }
    sink = x;
}

static __attribute__((noinline)) void floor_(int count, int steps)
{
    uint64_t x = sink;
    for (int i = 0; i < count; i++) {
        uint64_t start = cll_ticks();
        x = work(x, steps);
        __asm__ volatile("" : "+r"(x) : : "memory");
        uint64_t end = cll_ticks();
        uint64_t *record = (uint64_t *)(ring + at);
        record[0] = start;
        record[1] = end;
        record[2] = 7;
        ((double *)record)[3] = i;
        ((double *)record)[4] = 1;
        at = at + 80 > 65536 ? 0 : at + 40;
    }
    sink = x;
}

static __attribute__((noinline)) void marked(int count, int steps)
{
    uint64_t x = sink;
    for (int i = 0; i < count; i++) {
        struct region region __attribute__((cleanup(region_close))) = { CLL_FRAME_INIT, { 0, 0 } };
        region_begin(&region, i, 1);
        x = work(x, steps);
        __asm__ volatile("" : "+r"(x) : : "memory");
        region_end(&region);
    }
    sink = x;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static long switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

static const struct { double ns; int count; } works[] = {
    { 0, 20000 }, { 50, 20000 }, { 500, 8000 }, { 5000, 2000 }
};
static int steps_of[4];

/* Steps that take so many nanoseconds: the best of a few. */
static int calibrate(double ns)
{
    double best = 1e300;
    for (int i = 0; i < 20; i++) {
        double begin = now();
        bare(1000, 1000);
        double each = (now() - begin) / 1e6;
        best = each < best ? each : best;
    }
    return (int)(ns / best + 0.5);
}

static int runs, threads;
static pthread_barrier_t barrier;

static void rest(int thread)
{
    struct timespec t = { 0, 8000000 };
    pthread_barrier_wait(&barrier);
    if (thread == 0)
        nanosleep(&t, 0);
    pthread_barrier_wait(&barrier);
}

static void batch(const char *name, void (*body)(int, int), int w, int run, int thread)
{
    /* Begins on a fresh time slice and with warm caches. */
    rest(thread);
    body(200, steps_of[w]);
    long before = switches();
    double begin = now();
    body(works[w].count, steps_of[w]);
    double ns = (now() - begin) / works[w].count;
    long interrupted = switches() - before;
    flockfile(stdout);
    printf("%s %g %d %d %.4f %ld\n", name, works[w].ns, run, thread, ns, interrupted);
    funlockfile(stdout);
}

enum { TURNS = 400 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean of the turns that nothing interrupted, and how many did not count. A change of block is no
 * interruption: its share of a turn is small, and it belongs to the cost. */
static double undisturbed(const double *ns, int *lost)
{
    double sorted[TURNS], sum = 0;
    int kept = 0;
    for (int i = 0; i < TURNS; i++)
        sorted[i] = ns[i];
    qsort(sorted, TURNS, sizeof *sorted, ascending);
    for (int i = 0; i < TURNS && sorted[i] <= 1.2 * sorted[TURNS / 2]; i++, kept++)
        sum += sorted[i];
    *lost += TURNS - kept;
    return sum / kept;
}

/* The variants in turn, a few passages each, so that what drifts (the clock
 * rate, a neighbour on the machine) drifts for all of them alike. */
static void turns(int w, int run, int thread)
{
    static const char *const names[] = { "bare", "floor", "marked" };
    void (*const bodies[])(int, int) = { bare, floor_, marked };
    static __thread double ns[3][TURNS];
    int count = works[w].count / TURNS;
    rest(thread);
    for (int v = 0; v < 3; v++)
        bodies[v](200, steps_of[w]);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < 3; k++) {
            int v = (i + k) % 3;
            double begin = now();
            bodies[v](count, steps_of[w]);
            ns[v][i] = (now() - begin) / count;
        }
    }
    flockfile(stdout);
    for (int v = 0; v < 3; v++) {
        int lost = 0;
        double each = undisturbed(ns[v], &lost);
        printf("%s %g %d %d %.4f %d\n", names[v], works[w].ns, run, thread, each,
               lost > TURNS / 20);
    }
    funlockfile(stdout);
}

static void *thread_main(void *number)
{
    int thread = (int)(intptr_t)number;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(thread % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    ring = calloc(1, 65536);
    if (!ring)
        abort();
    for (int run = 0; run < runs; run++) {
        for (int w = 0; w < 4; w++) {
            if (works[w].ns > 0) {
                turns(w, run, thread);
                continue;
            }
            batch("bare", bare, w, run, thread);
            batch("floor", floor_, w, run, thread);
            batch("marked", marked, w, run, thread);
            rest(thread);
            if (thread == 0)
                cll_off();
            batch("off", marked, w, run, thread);
            rest(thread);
            if (thread == 0)
                cll_on();
        }
    }
    free(ring);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t others[64];
    runs = argc > 1 ? atoi(argv[1]) : 31;
    threads = argc > 2 ? atoi(argv[2]) : 1;
    if (runs < 1 || threads < 1 || threads > 64)
        return 2;
    for (int w = 0; w < 4; w++)
        steps_of[w] = calibrate(works[w].ns);
    pthread_barrier_init(&barrier, 0, (unsigned)threads);
    for (int i = 1; i < threads; i++)
        pthread_create(&others[i], 0, thread_main, (void *)(intptr_t)i);
    thread_main(0);
    for (int i = 1; i < threads; i++)
        pthread_join(others[i], 0);
    return 0;
}
