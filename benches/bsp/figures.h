/*
 * What the programs of this benchmark share: a clock, memory that all processors have, and batches of a
 * reference and of ours in turn. Each prints a line per figure and batch:
 *
 *     FIGURE SIZE BATCH REFERENCE OURS       nanoseconds for one superstep
 */
#ifndef FIGURES_H
#define FIGURES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef FIGURES_OF_OBJECTS
#include <pub.h>
#else
#include <bsp.h>
#endif
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP = 3, LARGEST = 2 << 20 };

/* A processor's word in a barrier, alone in its cache lines. */
struct flag {
    _Alignas(128) _Atomic uint64_t round;
};

/* Mapped before the machine begins, so that all its processes have it. */
struct shared {
    struct flag flags[2];
    struct flag arrived, passed; /* of the barrier of any number */
    _Atomic int iterations;
    _Alignas(4096) unsigned char in[2][2][LARGEST]; /* by processor and parity */
    double times[64];
};

static struct shared *shared __attribute__((unused));
static int batches __attribute__((unused));

#ifdef FIGURES_OF_OBJECTS
static t_bsp machine;
static inline int own_number(void) { return bsp_pid(&machine); }
static inline void synchronise(void) { bsp_sync(&machine); }
#define GIVE_UP(text) bsp_abort(NULL, text)
#else
static inline int own_number(void) { return bsp_pid(); }
static inline void synchronise(void) { bsp_sync(); }
#define GIVE_UP(text) bsp_abort(text)
#endif

static inline void map_shared(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        GIVE_UP("no memory to share\n");
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Ties this processor to the k-th core that it may use. */
static inline void pin(int k)
{
    cpu_set_t may, one;
    sched_getaffinity(0, sizeof may, &may);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &may) && k-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    GIVE_UP("too few cores\n");
}

static inline double time_of(void (*batch)(int), int iterations)
{
    double begin = now();
    batch(iterations);
    return (now() - begin) / iterations;
}

/* So many that a batch of the slower one takes about so long: processor 0 decides for all. */
static inline int calibrate(void (*reference)(int), void (*ours)(int), double ns)
{
    double slower = 1;
    for (int i = 0; i < 3; i++) {
        double a = time_of(reference, 8), b = time_of(ours, 8);
        slower = i == 0 || a > slower ? a : slower;
        slower = b > slower ? b : slower;
    }
    if (own_number() == 0) {
        int iterations = (int)(ns / slower);
        atomic_store(&shared->iterations, iterations < 4 ? 4 : iterations);
    }
    synchronise();
    return atomic_load(&shared->iterations);
}

/* Batches of both, in turn, so that what drifts drifts for both. An even number of supersteps in
 * each: what alternates by parity begins anew. */
static inline void compare(const char *figure, long size, double ns, void (*reference)(int),
                    void (*ours)(int))
{
    int iterations = (calibrate(reference, ours, ns) + 1) / 2 * 2;
    for (int batch = -WARM_UP; batch < batches; batch++) {
        synchronise();
        double a = time_of(reference, iterations);
        synchronise();
        double b = time_of(ours, iterations);
        if (own_number() == 0 && batch >= 0)
            printf("%s %ld %d %.2f %.2f\n", figure, size, batch, a, b);
    }
}

#endif
