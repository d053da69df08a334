/*
 * markers RUNS THREADS: what a region costs.
 *
 * In each run every variant is measured once, until RUNS of each were undisturbed in each
 * thread (or many times as many were tried), in batches by all threads at once; between
 * batches the threads rest, so that a launcher can take away what was recorded. Prints
 * a line per variant, run and thread:
 *
 *     VARIANT WORK RUN THREAD NANOSECONDS DISTURBED
 *
 * nanoseconds for one execution, and 1 if too little of it went by undisturbed: nobody
 * else had the processor, nor the other half of its core (a hyperthread's sibling, which
 * halves the width that instructions beside a chain of dependent ones can use).
 * VARIANT is `bare` (the work alone; `nothing` beside `off`), `floor` (two reads of the
 * counter around it and a record of 40 bytes stored), `marked` (what `cll cc` makes of a region with
 * two values) or `off` (the same with the gate closed). WORK is what it is meant to take, ns.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cll.h"

static const char *const variables[] = { "N", "P" };
static const struct cll_place places[] = {
    { "region", "region[0]", "markers.c", "marked", 1, 2, 2, 1, variables, 0, 0 }
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
    CLL_LEAVE(&region->frame, &unit, 0, region->values, 2, 0);
}

static inline void region_close(struct region *region)
{
    CLL_LEAVE(&region->frame, &unit, 0, region->values, 2, CLL_LEFT);
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
        struct region region __attribute__((cleanup(region_close)));
        CLL_FRESH(region)
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

enum { THREADS = 64, WORKS = 4 };
/* Passages in a turn, and how often it is measured in each run: long work varies by more than
 * what is to be told of it. */
static const struct { double ns; int passages, sets; } works[WORKS] = {
    { 0, 2000, 1 }, { 50, 50, 1 }, { 500, 20, 1 }, { 5000, 5, 4 }
};
enum { SETS = 4 };
enum { PASSAGES_OFF = 2000 };
static int steps_of[WORKS];

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

/* Nanoseconds for 64 instructions that do not need each other: they fill the width of a core,
 * so a sibling that is busy shows at once, where a chain of dependent ones sees nothing of it. */
static double canary(void)
{
    enum { COUNT = 64 };
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    double begin = now();
#define STEP(x) __asm__ volatile("add $1, %0" : "+r"(x));
#define ROW STEP(a) STEP(b) STEP(c) STEP(d) STEP(e) STEP(f) STEP(g) STEP(h)
    for (int i = 0; i < COUNT; i++) {
        ROW ROW ROW ROW ROW ROW ROW ROW
    }
    return (now() - begin) / COUNT;
}

static double width; /* the canary on a core of its own */
static int alone(void) { return canary() <= 1.1 * width; }

static int runs, threads;
enum { MOST = 8 }; /* runs that are tried for each one asked for */
static int undisturbed[THREADS][WORKS + 1]; /* sets of turns */
static int done;
static pthread_barrier_t barrier;

static void rest(int thread)
{
    struct timespec t = { 0, 8000000 };
    pthread_barrier_wait(&barrier);
    if (thread == 0)
        nanosleep(&t, 0);
    pthread_barrier_wait(&barrier);
}

/* Whether each thread has enough of everything. */
static int enough(void)
{
    for (int thread = 0; thread < threads; thread++)
        for (int set = 0; set <= WORKS; set++)
            if (undisturbed[thread][set] < runs)
                return 0;
    return 1;
}

/* Turns of a run, how many of them must be undisturbed, and how much longer than the
 * median a turn may take. A change of block is no disturbance: its share of a turn is
 * small (or, where there is no work, there is one in each turn), and it belongs to the cost. */
enum { TURNS = 400, ENOUGH = 40 };
static const double LONGEST = 1.2;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean of the turns that nothing interrupted, and how many there were. */
static double mean_of(const double *ns, int count, int *kept)
{
    double sorted[TURNS], sum = 0;
    memcpy(sorted, ns, count * sizeof *ns);
    qsort(sorted, count, sizeof *sorted, ascending);
    for (*kept = 0; *kept < count && sorted[*kept] <= LONGEST * sorted[count / 2]; ++*kept)
        sum += sorted[*kept];
    return sum / *kept;
}

struct variant { const char *name; void (*body)(int, int); };

/* Two or three variants in turn, a few passages each, so that what drifts (the clock rate,
 * a neighbour on the machine) drifts for all of them alike. A turn counts if the thread
 * had its core for itself before and after it. Begins on a fresh time slice and with warm caches. */
static void turns(const struct variant *variants, int n, int w, int passages, int run, int thread)
{
    static __thread double ns[3][TURNS];
    int counted = 0, fewest = TURNS;
    rest(thread);
    for (int v = 0; v < n; v++)
        variants[v].body(200, steps_of[w]);
    int before = alone();
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < n; k++) {
            int v = (i + k) % n;
            double begin = now();
            variants[v].body(passages, steps_of[w]);
            ns[v][counted] = (now() - begin) / passages;
        }
        int after = alone();
        counted += before && after;
        before = after;
    }
    for (int v = 0; v < n; v++) {
        int kept = 0;
        double each = mean_of(ns[v], counted, &kept);
        fewest = kept < fewest ? kept : fewest;
        flockfile(stdout);
        printf("%s %g %d %d %.4f %d\n", variants[v].name, works[w].ns, run, thread,
               kept ? each : 0, kept < ENOUGH);
        funlockfile(stdout);
    }
    undisturbed[thread][n == 2 ? WORKS : w] += fewest >= ENOUGH;
}

static const struct variant open_gate[] = { { "bare", bare }, { "floor", floor_ }, { "marked", marked } };
static const struct variant closed_gate[] = { { "nothing", bare }, { "off", marked } };

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
    for (int run = 0; run < MOST * runs && !done; run++) {
        for (int w = 0; w < WORKS; w++)
            for (int set = 0; set < works[w].sets; set++)
                turns(open_gate, 3, w, works[w].passages, SETS * run + set, thread);
        rest(thread);
        if (thread == 0)
            cll_off();
        turns(closed_gate, 2, 0, PASSAGES_OFF, SETS * run, thread);
        rest(thread);
        if (thread == 0) {
            cll_on();
            done = enough();
        }
        rest(thread);
    }
    free(ring);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t others[THREADS];
    runs = argc > 1 ? atoi(argv[1]) : 31;
    threads = argc > 2 ? atoi(argv[2]) : 1;
    if (runs < 1 || threads < 1 || threads > THREADS)
        return 2;
    for (int w = 0; w < WORKS; w++)
        steps_of[w] = calibrate(works[w].ns);
    width = 1e300;
    for (int i = 0; i < 2000; i++) {
        double each = canary();
        width = each < width ? each : width;
    }
    pthread_barrier_init(&barrier, 0, (unsigned)threads);
    for (int i = 1; i < threads; i++)
        pthread_create(&others[i], 0, thread_main, (void *)(intptr_t)i);
    thread_main(0);
    for (int i = 1; i < threads; i++)
        pthread_join(others[i], 0);
    return 0;
}
