/*
 * What the probes of memory and operations share: clocks, random numbers, memory, and what is said of a sample.
 *
 *     PROBE SEED SECONDS POINT...
 *
 * The points are measured in this order; when SECONDS have passed since the beginning the rest is left out. Each prints
 *
 *     sample KIND NAME STRIDE BYTES CORES VALUE WALL CPU SWITCHES CANARY
 *
 * VALUE is in nanoseconds; WALL and CPU are the seconds of the timed part by the wall clock and by the clock of the thread,
 * SWITCHES its involuntary switches, CANARY the nanoseconds of a multiply-add in a fixed loop just before. What could not be
 * done is said in a line `missing WORDS`.
 */
#ifndef ANALYZER_H
#define ANALYZER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A value that the compiler knows nothing of, in a register of the kind. */
#define OPAQUE_I(x) __asm__ volatile("" : "+r"(x))
#if defined(__x86_64__) || defined(__i386__)
#define OPAQUE_F(x) __asm__ volatile("" : "+x"(x))
#elif defined(__aarch64__)
#define OPAQUE_F(x) __asm__ volatile("" : "+w"(x))
#elif defined(__riscv)
#define OPAQUE_F(x) __asm__ volatile("" : "+f"(x))
#elif defined(__powerpc64__)
#define OPAQUE_F(x) __asm__ volatile("" : "+d"(x))
#else
#define OPAQUE_F(x) __asm__ volatile("" : "+m"(x))
#endif
/* Memory that is read later. */
#define MEMORY() __asm__ volatile("" : : : "memory")

/* Bytes of a cache line. */
enum { LINE = 64 };

static uint64_t state;
static double deadline;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static inline uint64_t random_number(void)
{
    /* xorshift64*, Vigna 2016 */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}

static int arguments(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ULL | 1;
    deadline = now() + strtod(argv[2], NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    return 1;
}

/* Nanoseconds of a multiply-add in a chain of 4096. */
static double canary(void)
{
    double best = 1e9;
    for (int attempt = 0; attempt < 3; attempt++) {
        double x = 1.0, begin = now();
        for (int k = 0; k < 4096; k++) {
            x = x * 0.999999 + 1e-6;
            OPAQUE_F(x);
        }
        double each = (now() - begin) * 1e9 / 4096;
        if (each < best)
            best = each;
    }
    return best;
}

struct meter {
    double wall, cpu, canary;
    long switches;
};

static long switches(void)
{
    struct rusage usage;
#ifdef RUSAGE_THREAD
    getrusage(RUSAGE_THREAD, &usage);
#else
    getrusage(RUSAGE_SELF, &usage);
#endif
    return usage.ru_nivcsw;
}

static struct meter begun(void)
{
    struct meter m;
    m.canary = canary();
    m.switches = switches();
    m.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    m.wall = now();
    return m;
}

static void ended(struct meter *m)
{
    m->wall = now() - m->wall;
    m->cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - m->cpu;
    m->switches = switches() - m->switches;
}

static inline void tell(const char *kind, const char *name, size_t stride, double bytes, int cores, double value,
                 const struct meter *m)
{
    printf("sample %s %s %zu %.0f %d %.6g %.9f %.9f %ld %.4f\n", kind, name, stride, bytes, cores, value, m->wall, m->cpu,
           m->switches, m->canary);
}

/* Memory from the system, at a multiple of 2 MiB. */
struct area {
    char *base;
    void *mapped;
    size_t length;
};

static int huge_refused;

static inline int area_of(struct area *area, size_t bytes, int huge)
{
    const size_t page = (size_t)2 << 20;
    area->length = (bytes + page - 1) / page * page + page;
    area->mapped = mmap(NULL, area->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area->mapped == MAP_FAILED)
        return 0;
    area->base = (char *)(((uintptr_t)area->mapped + page - 1) / page * page);
#ifdef MADV_HUGEPAGE
    if (madvise(area->base, area->length - page, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) != 0 && huge)
        huge_refused = 1;
#else
    huge_refused |= huge;
#endif
    return 1;
}

static inline void area_end(struct area *area)
{
    munmap(area->mapped, area->length);
}

/* Kilobytes of the memory at this place that are in huge pages. */
static inline long huge_kilobytes(const struct area *area)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[256];
    unsigned long from, to;
    long found = 0, kilobytes;
    int inside = 0;
    if (maps == NULL)
        return -1;
    while (fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2 && strchr(line, '-') < strchr(line, ' '))
            inside = from <= (unsigned long)area->base && (unsigned long)area->base < to;
        else if (inside && sscanf(line, "AnonHugePages: %ld", &kilobytes) == 1)
            found += kilobytes;
    }
    fclose(maps);
    return found;
}

/* A permutation of one cycle (Sattolo, 1986). */
static inline void **cycle(char *base, size_t nodes, size_t stride)
{
    for (size_t k = 0; k < nodes; k++)
        *(void **)(base + k * stride) = base + k * stride;
    for (size_t k = nodes - 1; k > 0; k--) {
        void **a = (void **)(base + k * stride);
        void **b = (void **)(base + random_number() % k * stride);
        void *kept = *a;
        *a = *b;
        *b = kept;
    }
    return (void **)base;
}

#endif
