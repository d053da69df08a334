/*
 * The bandwidth of memory, and its latency while other cores use it. See analyzer.h.
 *
 *     bandwidth SEED SECONDS KIND:CORES:BYTES...
 *     bandwidth SEED SECONDS loaded:CORES:BYTES:PAUSE...
 *
 * KIND is read, write, copy or triad. Each core has a working set of its own of BYTES, all arrays of the kind together.
 * VALUE is the nanoseconds of a byte of one core: the bytes that the program reads and writes count, not the lines that the
 * hardware reads before it writes them. With `loaded` one core chases pointers through BYTES and the others read as fast as
 * they can with a pause of PAUSE additions after each 4 KiB; the printed BYTES are then those that they read in a second
 * together, VALUE the time of an access.
 */
#include "analyzer.h"

#include <pthread.h>
#include <sched.h>

typedef double vec __attribute__((vector_size(32), aligned(32)));

enum { BLOCK = 4096, MOST_CORES = 1024 };

static volatile double sink;

static void read_pass(const vec *a, size_t n)
{
    vec s0 = a[0], s1 = a[1], s2 = a[2], s3 = a[3], s4 = a[4], s5 = a[5], s6 = a[6], s7 = a[7];
    for (size_t k = 8; k + 8 <= n; k += 8) {
        s0 += a[k];
        s1 += a[k + 1];
        s2 += a[k + 2];
        s3 += a[k + 3];
        s4 += a[k + 4];
        s5 += a[k + 5];
        s6 += a[k + 6];
        s7 += a[k + 7];
    }
    vec s = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    sink = s[0] + s[1] + s[2] + s[3];
}

/* MEMORY() in each turn keeps the compiler from calls of memset and memcpy, which may go around the caches. */
static void write_pass(vec *a, size_t n, double value)
{
    vec v = { value, value, value, value };
    for (size_t k = 0; k + 4 <= n; k += 4) {
        a[k] = v;
        a[k + 1] = v;
        a[k + 2] = v;
        a[k + 3] = v;
        MEMORY();
    }
}

static void copy_pass(vec *restrict a, const vec *restrict b, size_t n)
{
    for (size_t k = 0; k + 4 <= n; k += 4) {
        a[k] = b[k];
        a[k + 1] = b[k + 1];
        a[k + 2] = b[k + 2];
        a[k + 3] = b[k + 3];
        MEMORY();
    }
}

static void triad_pass(vec *restrict a, const vec *restrict b, const vec *restrict c, size_t n, double factor)
{
    vec f = { factor, factor, factor, factor };
    for (size_t k = 0; k + 4 <= n; k += 4) {
        a[k] = b[k] + f * c[k];
        a[k + 1] = b[k + 1] + f * c[k + 1];
        a[k + 2] = b[k + 2] + f * c[k + 2];
        a[k + 3] = b[k + 3] + f * c[k + 3];
    }
    MEMORY();
}

static int arrays(const char *kind)
{
    return kind[0] == 'c' ? 2 : kind[0] == 't' ? 3 : 1;
}

struct work {
    pthread_t thread;
    pthread_barrier_t *barrier;
    const char *kind;
    size_t bytes;
    long passes, pause;
    int first, cores;
    volatile int *stop;
    double each, delivered;
    struct meter m;
};

/* A core of its own for each: from two threads on one core times are none. */
static void bind_to(int number)
{
#ifdef __linux__
    static cpu_set_t allowed;
    static int known;
    if (!known)
        known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    for (int cpu = 0, seen = 0; known && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && seen++ == number) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
#else
    (void)number;
#endif
}

static void pass(const char *kind, vec *a, size_t n, long turn)
{
    size_t part = n / 3 / 8 * 8;
    switch (kind[0]) {
    case 'r':
        read_pass(a, n);
        break;
    case 'w':
        write_pass(a, n, (double)turn);
        break;
    case 'c':
        copy_pass(a, a + n / 2 / 8 * 8, n / 2 / 8 * 8);
        break;
    default:
        triad_pass(a, a + part, a + 2 * part, part, 0.5 + (double)turn);
    }
}

static void *streamed(void *argument)
{
    struct work *w = argument;
    struct area area;
    bind_to(w->first);
    int there = area_of(&area, w->bytes, 1);
    size_t n = w->bytes / sizeof(vec) / 24 * 24;
    if (there)
        for (size_t k = 0; k < n; k++)
            ((vec *)area.base)[k] = (vec){ 1, 2, 3, 4 };
    else
        printf("missing no memory for a working set of %zu bytes on each of %d cores\n", w->bytes, w->cores);
    w->each = -1;
    if (there)
        pass(w->kind, (vec *)area.base, n, 0);
    double canary_before = canary();
    double best = 1e30;
    for (int attempt = 0; attempt < 3; attempt++) {
        pthread_barrier_wait(w->barrier);
        if (!there)
            continue;
        struct meter m;
        m.canary = canary_before;
        m.switches = switches();
        m.cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        m.wall = now();
        for (long k = 0; k < w->passes; k++)
            pass(w->kind, (vec *)area.base, n, k);
        ended(&m);
        /* Without the time of other programs. */
        double own = m.wall < m.cpu ? m.wall : m.cpu;
        if (own < best) {
            best = own;
            w->m = m;
        }
    }
    if (there) {
        size_t part = w->kind[0] == 'c' ? n / 2 / 8 * 8 * 2 : w->kind[0] == 't' ? n / 3 / 8 * 8 * 3 : n;
        w->each = best * 1e9 / ((double)part * sizeof(vec) * (double)w->passes);
        area_end(&area);
    }
    return NULL;
}

static struct work *started(int cores, struct work common, void *(*body)(void *))
{
    struct work *all = calloc((size_t)cores, sizeof *all);
    for (int k = 0; all != NULL && k < cores; k++) {
        all[k] = common;
        all[k].first = k;
        if (pthread_create(&all[k].thread, NULL, body, &all[k]) != 0) {
            printf("missing no thread for core %d\n", k + 1);
            exit(3);
        }
    }
    return all;
}

static void bandwidth(const char *kind, int cores, size_t bytes)
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)cores);
    /* About 4 MiB at least: some tenths of a millisecond. */
    long passes = (long)(((size_t)4 << 20) / bytes) + 1;
    struct work common = { .barrier = &barrier, .kind = kind, .bytes = bytes, .passes = passes, .cores = cores };
    struct work *all = started(cores, common, streamed);
    if (all == NULL)
        return;
    double worst = 0;
    int which = 0, failed = 0;
    for (int k = 0; k < cores; k++) {
        pthread_join(all[k].thread, NULL);
        failed |= all[k].each < 0;
        if (all[k].each > worst) {
            worst = all[k].each;
            which = k;
        }
    }
    if (!failed)
        tell("bandwidth", kind, LINE, (double)bytes, cores, worst, &all[which].m);
    free(all);
    pthread_barrier_destroy(&barrier);
}

/* Reads until it is told to stop. */
static void *loads(void *argument)
{
    struct work *w = argument;
    struct area area;
    const size_t bytes = (size_t)64 << 20, vecs = bytes / sizeof(vec);
    bind_to(w->first);
    int there = area_of(&area, bytes, 1);
    if (there)
        for (size_t k = 0; k < vecs; k++)
            ((vec *)area.base)[k] = (vec){ 1, 2, 3, 4 };
    pthread_barrier_wait(w->barrier);
    double begin = now();
    size_t blocks = 0, at = 0;
    const size_t step = BLOCK / sizeof(vec);
    while (there && !*w->stop) {
        read_pass((vec *)area.base + at, step);
        at = at + step < vecs ? at + step : 0;
        blocks++;
        for (long k = 0; k < w->pause; k++) {
            long x = k;
            OPAQUE_I(x);
        }
    }
    w->delivered = (double)blocks * BLOCK / (now() - begin);
    if (there)
        area_end(&area);
    return NULL;
}

static void *chases(void *argument)
{
    struct work *w = argument;
    struct area area;
    bind_to(0);
    size_t nodes = w->bytes / LINE, steps = 20000;
    int there = area_of(&area, w->bytes, 1);
    void **at = NULL;
    if (there)
        at = cycle(area.base, nodes, LINE);
    pthread_barrier_wait(w->barrier);
    w->each = 1e30;
    for (int attempt = 0; there && attempt < 4; attempt++) {
        struct meter m = begun();
        for (size_t k = 0; k < steps; k++)
            at = (void **)*at;
        OPAQUE_I(at);
        ended(&m);
        /* The first is while the others begin. */
        double own = (m.wall < m.cpu ? m.wall : m.cpu) * 1e9 / (double)steps;
        if (attempt > 0 && own < w->each) {
            w->each = own;
            w->m = m;
        }
    }
    *w->stop = 1;
    if (there)
        area_end(&area);
    else
        w->each = -1;
    return NULL;
}

static void *one_of(void *argument)
{
    struct work *w = argument;
    return w->first == 0 ? chases(w) : loads(w);
}

static void loaded(int cores, size_t bytes, long pause)
{
    pthread_barrier_t barrier;
    volatile int stop = 0;
    pthread_barrier_init(&barrier, NULL, (unsigned)cores);
    struct work common = { .barrier = &barrier, .bytes = bytes, .pause = pause, .stop = &stop, .cores = cores };
    struct work *all = started(cores, common, one_of);
    if (all == NULL)
        return;
    double delivered = 0;
    for (int k = 0; k < cores; k++) {
        pthread_join(all[k].thread, NULL);
        if (k > 0)
            delivered += all[k].delivered;
    }
    char name[32];
    snprintf(name, sizeof name, "%ld", pause);
    if (all[0].each > 0)
        tell("loaded", name, LINE, delivered, cores, all[0].each, &all[0].m);
    free(all);
    pthread_barrier_destroy(&barrier);
}

int main(int argc, char **argv)
{
    if (!arguments(argc, argv))
        return 2;
    for (int k = 3; k < argc && now() < deadline; k++) {
        char kind[8];
        int cores;
        size_t bytes;
        long pause = 0;
        if (sscanf(argv[k], "%7[a-z]:%d:%zu:%ld", kind, &cores, &bytes, &pause) < 3 || cores < 1 || cores > MOST_CORES)
            return 2;
        if (kind[0] == 'l')
            loaded(cores, bytes, pause);
        else if (bytes / sizeof(vec) >= 24 * (size_t)arrays(kind))
            bandwidth(kind, cores, bytes);
    }
    printf("end\n");
    return 0;
}
