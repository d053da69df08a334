/*
 * Latency and throughput of operations, and the start of a process. See analyzer.h.
 *
 *     operations SEED SECONDS NAME-TYPE|branch|process...
 *
 * NAME is add, multiply, fma, divide, sqrt; TYPE is double, single, or integer (add, multiply, divide; of 64 bits). VALUE is the nanoseconds
 * of an operation: with KIND `chain` each needs the result of the one before, with `many` eight are independent. An
 * assembler statement without instructions after each operation keeps the compiler from computing, joining or moving it.
 * `branch` is the additional time of a branch that was predicted wrongly, `process` the time from asking for a new process
 * until it has ended, which does nothing.
 */
#include "analyzer.h"

#include <math.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/* About a tenth of a millisecond. */
enum { TURNS = 20000 };

#define EACH8(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* `x = EXPRESSION of x and c`; the chain has 8 in a turn, too. */
#define OPERATION(NAME, TYPE, OPAQUE, START, C, EXPRESSION)                                                            \
    static double NAME##_chain(void)                                                                                   \
    {                                                                                                                  \
        TYPE x = START, c = C;                                                                                         \
        OPAQUE(x);                                                                                                     \
        OPAQUE(c);                                                                                                     \
        double begin = now();                                                                                          \
        for (int k = 0; k < TURNS; k += 8) {                                                                           \
            EACH8(STEP_##NAME)                                                                                         \
        }                                                                                                              \
        double each = (now() - begin) * 1e9 / TURNS;                                                                   \
        OPAQUE(x);                                                                                                     \
        return each;                                                                                                   \
    }                                                                                                                  \
    static double NAME##_many(void)                                                                                    \
    {                                                                                                                  \
        TYPE x0 = START, x1 = START, x2 = START, x3 = START, x4 = START, x5 = START, x6 = START, x7 = START, c = C;    \
        OPAQUE(x0);                                                                                                    \
        OPAQUE(x1);                                                                                                    \
        OPAQUE(x2);                                                                                                    \
        OPAQUE(x3);                                                                                                    \
        OPAQUE(x4);                                                                                                    \
        OPAQUE(x5);                                                                                                    \
        OPAQUE(x6);                                                                                                    \
        OPAQUE(x7);                                                                                                    \
        OPAQUE(c);                                                                                                     \
        double begin = now();                                                                                          \
        for (int k = 0; k < TURNS; k += 8) {                                                                           \
            EACH8(MANY_##NAME)                                                                                         \
        }                                                                                                              \
        return (now() - begin) * 1e9 / TURNS;                                                                          \
    }

#define STEP(E, OPAQUE) x = E(x, c); OPAQUE(x);
#define MANY(E, OPAQUE, N) x##N = E(x##N, c); OPAQUE(x##N);

#define ADD(x, c) ((x) + (c))
#define MULTIPLY(x, c) ((x) * (c))
#define DIVIDE(x, c) ((c) / (x))
#define FMA(x, c) __builtin_fma((x), (c), (c))
#define FMAF(x, c) __builtin_fmaf((x), (c), (c))
/* The root of a root comes to 1, for which some processors are quicker: it is multiplied again. */
#define ROOT(x, c) (sqrt(x) * (c))
#define ROOTF(x, c) (sqrtf(x) * (c))

#define STEP_add_double(N) STEP(ADD, OPAQUE_F)
#define MANY_add_double(N) MANY(ADD, OPAQUE_F, N)
OPERATION(add_double, double, OPAQUE_F, 1.0, 1.0000001, ADD)
#define STEP_add_single(N) STEP(ADD, OPAQUE_F)
#define MANY_add_single(N) MANY(ADD, OPAQUE_F, N)
OPERATION(add_single, float, OPAQUE_F, 1.0f, 1.0001f, ADD)
#define STEP_multiply_double(N) STEP(MULTIPLY, OPAQUE_F)
#define MANY_multiply_double(N) MANY(MULTIPLY, OPAQUE_F, N)
OPERATION(multiply_double, double, OPAQUE_F, 1.0, 1.0000001, MULTIPLY)
#define STEP_multiply_single(N) STEP(MULTIPLY, OPAQUE_F)
#define MANY_multiply_single(N) MANY(MULTIPLY, OPAQUE_F, N)
OPERATION(multiply_single, float, OPAQUE_F, 1.0f, 1.000001f, MULTIPLY)
#define STEP_divide_double(N) STEP(DIVIDE, OPAQUE_F)
#define MANY_divide_double(N) MANY(DIVIDE, OPAQUE_F, N)
OPERATION(divide_double, double, OPAQUE_F, 1.2345678901, 2.3456789012, DIVIDE)
#define STEP_divide_single(N) STEP(DIVIDE, OPAQUE_F)
#define MANY_divide_single(N) MANY(DIVIDE, OPAQUE_F, N)
OPERATION(divide_single, float, OPAQUE_F, 1.2345678f, 2.3456789f, DIVIDE)
#define STEP_sqrt_double(N) STEP(ROOT, OPAQUE_F)
#define MANY_sqrt_double(N) MANY(ROOT, OPAQUE_F, N)
OPERATION(sqrt_double, double, OPAQUE_F, 1.2345678901, 1.3456789012, ROOT)
#define STEP_sqrt_single(N) STEP(ROOTF, OPAQUE_F)
#define MANY_sqrt_single(N) MANY(ROOTF, OPAQUE_F, N)
OPERATION(sqrt_single, float, OPAQUE_F, 1.2345678f, 1.3456789f, ROOTF)
#define STEP_add_integer(N) STEP(ADD, OPAQUE_I)
#define MANY_add_integer(N) MANY(ADD, OPAQUE_I, N)
OPERATION(add_integer, uint64_t, OPAQUE_I, 1, 12345, ADD)
#define STEP_multiply_integer(N) STEP(MULTIPLY, OPAQUE_I)
#define MANY_multiply_integer(N) MANY(MULTIPLY, OPAQUE_I, N)
OPERATION(multiply_integer, uint64_t, OPAQUE_I, 1, 0x9E3779B97F4A7C15ULL, MULTIPLY)
/* The quotients have 34 bits, the divisors 30. */
#define STEP_divide_integer(N) STEP(DIVIDE, OPAQUE_I)
#define MANY_divide_integer(N) MANY(DIVIDE, OPAQUE_I, N)
OPERATION(divide_integer, uint64_t, OPAQUE_I, 1234567890, 0x9E3779B97F4A7C15ULL, DIVIDE)
#ifdef __FP_FAST_FMA
#define STEP_fma_double(N) STEP(FMA, OPAQUE_F)
#define MANY_fma_double(N) MANY(FMA, OPAQUE_F, N)
OPERATION(fma_double, double, OPAQUE_F, 1.0, 0.5, FMA)
#endif
#ifdef __FP_FAST_FMAF
#define STEP_fma_single(N) STEP(FMAF, OPAQUE_F)
#define MANY_fma_single(N) MANY(FMAF, OPAQUE_F, N)
OPERATION(fma_single, float, OPAQUE_F, 1.0f, 0.5f, FMAF)
#endif

static const struct {
    const char *name;
    double (*chain)(void), (*many)(void);
} operations[] = {
#define ROW(N) { #N, N##_chain, N##_many },
    ROW(add_double) ROW(add_single) ROW(multiply_double) ROW(multiply_single) ROW(divide_double) ROW(divide_single)
    ROW(sqrt_double) ROW(sqrt_single) ROW(add_integer) ROW(multiply_integer)
    ROW(divide_integer)
#ifdef __FP_FAST_FMA
    ROW(fma_double)
#endif
#ifdef __FP_FAST_FMAF
    ROW(fma_single)
#endif
};

/* Nanoseconds of a turn with a branch on a bit of a random number, masked and inverted. */
static double branches(uint64_t mask, uint64_t flip)
{
    uint64_t random = state, taken = 0;
    OPAQUE_I(mask);
    OPAQUE_I(flip);
    double begin = now();
    for (int k = 0; k < TURNS; k++) {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        /* The statement cannot be done without the branch. */
        if (((random >> 11 & mask) ^ flip) != 0)
            __asm__ volatile("" : "+r"(taken) : : "memory");
        else
            __asm__ volatile("" : "+r"(random) : : "memory");
    }
    double each = (now() - begin) * 1e9 / TURNS;
    state = random;
    return each;
}

static double mispredicted(void)
{
    double wild = branches(1, 0), never = branches(0, 0), always = branches(0, 1);
    /* Half of the random ones are predicted wrongly. */
    return 2 * (wild - 0.5 * (never + always));
}

static double started(const char *program)
{
    char *const words[] = { (char *)program, "nothing", NULL };
    pid_t child;
    int status;
    double begin = now();
    if (posix_spawn(&child, program, NULL, NULL, words, environ) != 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? (now() - begin) * 1e9 : -1;
}

/* The shortest of some: nothing makes an operation quicker than it is. */
static void shortest(const char *kind, const char *name, double (*of)(void))
{
    double best = 1e30;
    struct meter kept = { 0, 0, 0, 0 };
    for (int attempt = 0; attempt < 7; attempt++) {
        struct meter m = begun();
        double value = of();
        ended(&m);
        if (value < best) {
            best = value;
            kept = m;
        }
    }
    tell(kind, name, 0, 0, 1, best, &kept);
}

/* A page of memory, from its first use until it is given back, each of 1024. */
static double used_page(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 1024 * page;
    double begin = now(), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return 1e30;
#ifdef MADV_NOHUGEPAGE
    madvise(base, bytes, MADV_NOHUGEPAGE);
#endif
    for (size_t at = 0; at < bytes; at += page)
        *(volatile char *)(base + at) = 1;
    munmap(base, bytes);
    /* Without the time of other programs. */
    double wall = now() - begin;
    cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    return (wall < cpu ? wall : cpu) * 1e9 / 1024;
}

/* The middle one of some: a process may be quick or slow. */
static void process(const char *program)
{
    double all[15];
    int count = 0;
    struct meter m = begun();
    for (int k = 0; k < 15; k++) {
        double value = started(program);
        int at = count;
        if (value < 0)
            continue;
        for (; at > 0 && all[at - 1] > value; at--)
            all[at] = all[at - 1];
        all[at] = value;
        count++;
    }
    ended(&m);
    if (count > 0)
        tell("process", "start", 0, 0, 1, all[count / 2], &m);
    else
        printf("missing the start of a process: none could be started\n");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "nothing") == 0)
        return 0;
    if (!arguments(argc, argv))
        return 2;
    /* The processor may be slow until it has had something to do. */
    for (double until = now() + 0.02; now() < until;)
        canary();
    for (int k = 3; k < argc && now() < deadline; k++) {
        if (strcmp(argv[k], "branch") == 0) {
            /* A difference of times: the middle one. */
            for (int attempt = 0; attempt < 5; attempt++) {
                struct meter m = begun();
                double value = mispredicted();
                ended(&m);
                if (value > 0)
                    tell("chain", "branch", 0, 0, 1, value, &m);
            }
        } else if (strcmp(argv[k], "process") == 0) {
            process(argv[0]);
        } else if (strcmp(argv[k], "page") == 0) {
            shortest("process", "page", used_page);
        } else {
            int found = 0;
            for (size_t at = 0; at < sizeof operations / sizeof operations[0]; at++)
                if (strcmp(argv[k], operations[at].name) == 0) {
                    shortest("chain", argv[k], operations[at].chain);
                    shortest("many", argv[k], operations[at].many);
                    found = 1;
                }
            if (!found)
                printf("missing %s: the compiler has no instruction for it here\n", argv[k]);
        }
    }
    printf("end\n");
    return 0;
}
