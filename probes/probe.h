/*
 * What the probes of supersteps share: the plan, patterns, a clock, and what is said of a sample.
 *
 *     PROBE SEED SECONDS NANOSECONDS PATTERN:BYTES...
 *
 * For each PATTERN:BYTES, in this order, the same superstep is repeated: every processor writes what it
 * is going to send, asks for the communication, synchronises, and reads what it received. Programs do
 * touch their data: without that it would stay in the writer's cache, and supersteps look several
 * times as quick as they are in a program. What is timed is
 *
 *     sync    from when the last processor that is waited for begins to synchronise until the last
 *             one returns from it: what the model calls g*h + L;
 *     calls   the requests before that, of the processor that takes longest: what a superstep
 *             log counts as computation.
 *
 *     fetch   what it takes longer to read what has come a first time than a second time, of the
 *             processor for which that is most: the way of the bytes from one core's cache to
 *             another's, where the library has not copied them. A log counts it as computation.
 *
 * Writing and reading are else computation and in none of them. BYTES is what a processor sends to one other.
 * A sample has as many repetitions as fit into NANOSECONDS, at least one. When SECONDS have passed since the beginning the rest of the plan is left out. Processor 0
 * prints, times in nanoseconds:
 *
 *     sample PATTERN BYTES HMAX HSUM COUNT SYNC LOW HIGH CALLS FETCH   medians, and quartiles of sync
 *     empty barrier|oblivious COUNT NANOSECONDS                    of one, in batches
 *     rate OPERATIONS_PER_SECOND                                   of one processor
 *     clocks apart                                                 the processors' differ: sync is
 *                                                                  the shortest stay of any
 *
 * HMAX and HSUM are the h of the h-relation in bytes: the largest over the processors of max(in, out)
 * and of in + out.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHIFT, TOTAL_EXCHANGE, BROADCAST, SCATTER, GATHER, RANDOM, PATTERNS };

static const char *const names[PATTERNS] = { "shift",   "total-exchange", "broadcast",
                                             "scatter", "gather",         "random" };

/* Messages of each processor in a random relation. */
enum { MESSAGES = 4 };
/* Supersteps before the first that counts, and the most that count. */
enum { WARM_UP = 2, MOST = 64 };
/* Samples between two batches of empty supersteps. */
enum { BETWEEN = 32 };

static int p, me;
static uint64_t seed;
static double deadline;  /* seconds on the clock */
static double wanted_ns; /* of a sample's repetitions */
static int clocks_apart;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* A message of the superstep. */
struct message {
    int from, to;
    size_t bytes, offset; /* in the sender's source and in the receiver's area */
    size_t source;
};

static struct message *messages;
static int count; /* of them */
static double h_max, h_sum;
static size_t most_sent, most_received; /* by this processor in the present relation */

static uint64_t draw(uint64_t *state)
{
    uint64_t x = (*state += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void add(int from, int to, size_t bytes, size_t source)
{
    struct message one = { from, to, bytes, 0, source };
    messages[count++] = one;
}

/* The messages of a pattern, the same list on all processors; each pair that sends has its own place at
 * the receiver. */
static void relation(int pattern, size_t bytes)
{
    uint64_t state = seed ^ bytes * 31;
    size_t *in = calloc((size_t)p, sizeof *in), *out = calloc((size_t)p, sizeof *out);
    if (!in || !out)
        abort();
    count = 0;
    for (int s = 0; s < p; s++) {
        switch (pattern) {
        case SHIFT:
            add(s, (s + 1) % p, bytes, 0);
            break;
        case TOTAL_EXCHANGE:
            for (int k = 1; k < p; k++)
                add(s, (s + k) % p, bytes, (size_t)(k - 1) * bytes);
            break;
        case BROADCAST:
            if (s > 0)
                add(0, s, bytes, 0);
            break;
        case SCATTER:
            if (s > 0)
                add(0, s, bytes, (size_t)(s - 1) * bytes);
            break;
        case GATHER:
            if (s > 0)
                add(s, 0, bytes, 0);
            break;
        default:
            /* Each a few messages of different sizes, together about BYTES, to whom chance will. */
            for (int k = 0, at = 0; k < MESSAGES; k++) {
                size_t part = bytes / MESSAGES;
                size_t size = (part / 2 + draw(&state) % (part + 1) + 7) / 8 * 8;
                int to = (s + 1 + (int)(draw(&state) % (uint64_t)(p - 1))) % p;
                if (size == 0)
                    size = 8;
                add(s, to, size, (size_t)at);
                at += (int)size;
            }
        }
    }
    h_max = h_sum = 0;
    for (int k = 0; k < count; k++) {
        messages[k].offset = in[messages[k].to];
        in[messages[k].to] += messages[k].bytes;
        out[messages[k].from] += messages[k].bytes;
    }
    for (int s = 0; s < p; s++) {
        double larger = (double)(in[s] > out[s] ? in[s] : out[s]), both = (double)(in[s] + out[s]);
        h_max = larger > h_max ? larger : h_max;
        h_sum = both > h_sum ? both : h_sum;
    }
    most_sent = out[me];
    most_received = in[me];
    free(in);
    free(out);
}

static volatile uint64_t sink;

static __attribute__((noinline)) void write_all(unsigned char *to, size_t size, uint64_t value)
{
    size_t i = 0;
    for (; i + 8 <= size; i += 8)
        memcpy(to + i, &value, 8);
    for (; i < size; i++)
        to[i] = (unsigned char)value;
    __asm__ volatile("" : : "r"(to) : "memory");
}

static __attribute__((noinline)) void read_all(const unsigned char *from, size_t size)
{
    uint64_t sum = 0, word;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        memcpy(&word, from + i, 8);
        sum += word;
    }
    sink = sum;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *sorted, int n, double q)
{
    double at = q * (n - 1);
    int low = (int)at;
    return low + 1 < n ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

/* What a processor has noted of a superstep. */
struct note {
    double asked, entered, end; /* of the superstep */
    double came, went;          /* to and from a barrier */
    double fetch;               /* of what has come */
};

/* Nobody goes from a barrier before all have come: if it looks so, they have different clocks. */
static void compare_clocks(const struct note *notes, size_t stride)
{
    double latest = notes[0].came, first = notes[0].went;
    for (int s = 1; s < p; s++) {
        const struct note *one = &notes[(size_t)s * stride];
        latest = one->came > latest ? one->came : latest;
        first = one->went < first ? one->went : first;
    }
    clocks_apart |= first < latest;
}

/* Whether `one` waits for `other` in an oblivious superstep. */
static int waits_for(int one, int other)
{
    for (int k = 0; k < count; k++)
        if (messages[k].to == one && messages[k].from == other)
            return 1;
    return one == other;
}

/* One superstep of all processors, `notes[s * stride]` each: its time in synchronisation. */
static double time_of(const struct note *notes, size_t stride, int oblivious)
{
    double longest = 0, shortest = -1;
    for (int s = 0; s < p; s++) {
        double latest = -1;
        int partners = 0;
        for (int t = 0; t < p; t++)
            if (!oblivious || waits_for(s, t)) {
                double entered = notes[(size_t)t * stride].entered;
                latest = entered > latest ? entered : latest;
                partners++;
            }
        double stay = notes[(size_t)s * stride].end - notes[(size_t)s * stride].entered;
        double time = notes[(size_t)s * stride].end - latest;
        if (oblivious && partners == 1)
            continue; /* it waits for nobody */
        /* A message may have come before its sender begins to synchronise: then that is all free. */
        time = time > 1 ? time : 1;
        longest = time > longest ? time : longest;
        shortest = shortest < 0 || stay < shortest ? stay : shortest;
    }
    return clocks_apart ? shortest : longest;
}

/* Says what came of a sample; processor s has its notes from `notes[s * MOST]` on. */
static void tell(const char *name, size_t bytes, const struct note *notes, int repetitions,
                 int oblivious)
{
    double sync[MOST], calls[MOST], fetch[MOST];
    for (int k = 0; k < repetitions; k++)
        compare_clocks(notes + k, MOST);
    for (int k = 0; k < repetitions; k++) {
        sync[k] = time_of(notes + k, MOST, oblivious);
        calls[k] = fetch[k] = 0;
        for (int s = 0; s < p; s++) {
            const struct note *one = &notes[(size_t)s * MOST + (size_t)k];
            double asking = one->entered - one->asked;
            calls[k] = asking > calls[k] ? asking : calls[k];
            fetch[k] = one->fetch > fetch[k] ? one->fetch : fetch[k];
        }
    }
    qsort(sync, (size_t)repetitions, sizeof *sync, by_size);
    qsort(calls, (size_t)repetitions, sizeof *calls, by_size);
    qsort(fetch, (size_t)repetitions, sizeof *fetch, by_size);
    printf("sample %s %zu %.0f %.0f %d %.1f %.1f %.1f %.1f %.1f\n", name, bytes, h_max, h_sum,
           repetitions, quantile(sync, repetitions, 0.5), quantile(sync, repetitions, 0.25),
           quantile(sync, repetitions, 0.75), quantile(calls, repetitions, 0.5),
           quantile(fetch, repetitions, 0.5));
}

/* How often a superstep of this length is repeated, or 0 when the time is up. */
static int repetitions_for(double ns)
{
    double fit = wanted_ns / (ns > 1 ? ns : 1);
    if (now() > deadline)
        return 0;
    return fit > MOST ? MOST : fit < 1 ? 1 : (int)fit;
}

/* Work of its own for each processor, until the system has given each a core. */
static void settle(void)
{
    static const double NS = 2e7;
    double begin = now(), x = 1;
    while (now() - begin < NS)
        for (int i = 0; i < 1000; i++)
            x = x * 0.999 + 1e-3;
    sink = (uint64_t)x;
}

/* Additions and multiplications in a second, of vectors that lie in the first cache. */
static __attribute__((unused)) double rate(void)
{
    enum { LENGTH = 1024, TURNS = 2000 };
    static double x[LENGTH], y[LENGTH];
    double best = 0;
    for (int i = 0; i < LENGTH; i++)
        x[i] = 1 + i * 1e-9;
    for (int batch = 0; batch < 5; batch++) {
        double begin = now(), alpha = 1e-9;
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < LENGTH; i++)
                y[i] += alpha * x[i];
            __asm__ volatile("" : : "r"(y) : "memory");
        }
        double speed = 2.0 * LENGTH * TURNS / ((now() - begin) * 1e-9);
        best = speed > best ? speed : best;
    }
    return best;
}

/* The plan's next `PATTERN:BYTES`; -1 if it is none. */
static int entry(const char *text, size_t *bytes)
{
    const char *colon = strchr(text, ':');
    if (colon)
        for (int k = 0; k < PATTERNS; k++)
            if (strlen(names[k]) == (size_t)(colon - text) &&
                strncmp(names[k], text, (size_t)(colon - text)) == 0) {
                *bytes = (size_t)strtoull(colon + 1, NULL, 10);
                return *bytes > 0 ? k : -1;
            }
    return -1;
}

static void arguments(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "%s SEED SECONDS NANOSECONDS PATTERN:BYTES...\n", argv[0]);
        exit(2);
    }
    seed = strtoull(argv[1], NULL, 10);
    deadline = now() + 1e9 * strtod(argv[2], NULL);
    wanted_ns = strtod(argv[3], NULL);
}

/* Makes room for the messages of a relation; the bytes that any processor sends or receives in any
 * relation of the plan, 0 where something in it is none. */
static size_t room(int argc, char **argv)
{
    size_t most = 64, bytes;
    messages = malloc(sizeof *messages * (size_t)(p * (p > MESSAGES ? p : MESSAGES) + 1));
    if (!messages)
        abort();
    for (int i = 4; i < argc && p > 1; i++) {
        int pattern = entry(argv[i], &bytes);
        if (pattern < 0) {
            fprintf(stderr, "%s is no PATTERN:BYTES\n", argv[i]);
            return 0;
        }
        relation(pattern, bytes);
        most = (size_t)h_max > most ? (size_t)h_max : most;
    }
    return most;
}

#endif
