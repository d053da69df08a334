/* scenes NAME ARGUMENTS: programs that do unusual things inside and around regions. Each
 * prints one number, mostly how many samples of f it has finished. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "marked.h"

static void once(double n)
{
    FRAME(f);
    BEGIN(f, 0, n, 1);
    END(f);
}

static void many(int n)
{
    int i;
    for (i = 0; i < n; i++)
        once(i);
}

/* sleeps COUNT MILLISECONDS: each region sleeps for so long, and never less */
static int sleeps(int count, int milliseconds)
{
    int i;
    for (i = 0; i < count; i++) {
        struct timespec left = { milliseconds / 1000, milliseconds % 1000 * 1000000L };
        FRAME(f);
        BEGIN(f, 0, i, 1);
        while (nanosleep(&left, &left) && errno == EINTR) {}
        END(f);
    }
    return count;
}

/* recursion DEPTH */
static int recurse(int depth)
{
    int below;
    FRAME(f);
    BEGIN(f, 0, depth, 1);
    below = depth > 1 ? recurse(depth - 1) : 0;
    END(f);
    return below + 1;
}

static void *recurse_thread(void *depth)
{
    return (void *)(intptr_t)recurse((int)(intptr_t)depth);
}

static int recursion(int depth)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256u << 20);
    if (pthread_create(&thread, &attributes, recurse_thread, (void *)(intptr_t)depth))
        return -1;
    pthread_join(thread, &result);
    return (int)(intptr_t)result;
}

/* threads COUNT AT_ONCE: COUNT threads that finish 3 samples each, AT_ONCE at a time */
static void *three(void *unused)
{
    many(3);
    return unused;
}

static int threads(int count, int at_once)
{
    pthread_t *all = calloc((size_t)at_once, sizeof *all);
    int done = 0, i;
    while (all && done < count) {
        for (i = 0; i < at_once; i++)
            if (pthread_create(&all[i], 0, three, 0))
                return -1;
        for (i = 0; i < at_once; i++)
            pthread_join(all[i], 0);
        done += at_once;
    }
    free(all);
    return 3 * done;
}

/* crowd COUNT: so many threads are there at a time, each with a sample */
static pthread_barrier_t crowd_is_here;

static void *of_crowd(void *unused)
{
    many(1);
    pthread_barrier_wait(&crowd_is_here);
    return unused;
}

static int crowd(int count)
{
    pthread_t all[64];
    int i;
    if (count > 64 || pthread_barrier_init(&crowd_is_here, 0, (unsigned)count))
        return -1;
    for (i = 0; i < count; i++)
        if (pthread_create(&all[i], 0, of_crowd, 0))
            return -1;
    for (i = 0; i < count; i++)
        pthread_join(all[i], 0);
    return count;
}

/* early COUNT: main returns while a thread goes on */
static volatile int finished;

static void *without_end(void *unused)
{
    for (;;) {
        once(1);
        finished++;
    }
    return unused;
}

static int early(int count)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, without_end, 0))
        return -1;
    while (finished < count) {}
    return count;
}

/* forks: 10 samples, a fork inside g; the child finishes 20 more and the parent 30 */
static int forks(void)
{
    FRAME(g);
    pid_t child;
    many(10);
    BEGIN(g, 1, 1, 0);
    child = fork();
    if (child == 0) {
        many(20);
        END(g);
        once(21);
        exit(0);
    }
    waitpid(child, 0, 0);
    many(30);
    END(g);
    return 40;
}

/* vforks PROGRAM: inside g */
static int vforks(const char *program)
{
    pid_t child;
    FRAME(g);
    many(5);
    BEGIN(g, 1, 1, 0);
    child = vfork();
    if (child == 0) {
        execl(program, program, "plain", "7", (char *)0);
        _exit(9);
    }
    waitpid(child, 0, 0);
    END(g);
    many(5);
    return 10;
}

/* jumps COUNT: regions left by longjmp, and a frame that is begun again while open */
static jmp_buf back;

static void leap(void)
{
    FRAME(g);
    FRAME(h);
    BEGIN(g, 1, 0, 0);
    BEGIN(h, 2, 0, 0);
    longjmp(back, 1);
}

static int jumps(int count)
{
    volatile int i;
    FRAME(f);
    for (i = 0; i < count; i++) {
        BEGIN(f, 0, i, 1);
        if (setjmp(back) == 0)
            leap();
        if (i % 2)
            continue; /* a jump that nobody saw: begun again without an end */
        END(f);
    }
    return (count + 1) / 2;
}

/* ends COUNT: threads that end in a region inside another one, and of which a destructor has a region */
static pthread_key_t key;

static void late(void *unused)
{
    FRAME(f);
    BEGIN(f, 0, 0, 1);
    END(f);
    (void)unused;
}

static void *ended(void *unused)
{
    FRAME(g);
    FRAME(h);
    pthread_setspecific(key, &key);
    BEGIN(g, 1, 0, 0);
    BEGIN(h, 2, 0, 0);
    pthread_exit(unused);
}

static int ends(int count)
{
    int i;
    /* Its destructor runs after that of the library. */
    if (pthread_key_create(&key, late))
        return -1;
    for (i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, 0, ended, 0))
            return -1;
        pthread_join(thread, 0);
    }
    return count;
}

/* interrupts MILLISECONDS: a signal handler with a region of its own, as often as may be;
 * prints the samples of f and those of h */
static volatile sig_atomic_t in_handler;

static void handler(int signal_number)
{
    int saved = errno;
    FRAME(h);
    BEGIN(h, 2, 0, 0);
    END(h);
    in_handler++;
    (void)signal_number;
    errno = saved;
}

static int interrupts(int milliseconds)
{
    struct itimerval every = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
    struct sigaction action;
    struct timespec begin, now;
    int count = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &every, 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        many(1000);
        count += 1000;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000
             < milliseconds);
    setitimer(ITIMER_REAL, &never, 0);
    printf("%d ", count);
    return in_handler;
}

/* leaping COUNT: a handler jumps out of whatever it interrupts, COUNT times */
static sigjmp_buf outside;

static void leaping_handler(int signal_number)
{
    (void)signal_number;
    siglongjmp(outside, 1);
}

static int leaping(int count)
{
    struct itimerval soon = { { 0, 0 }, { 0, 80 } };
    struct sigaction action;
    volatile int left = count;
    memset(&action, 0, sizeof action);
    action.sa_handler = leaping_handler;
    sigaction(SIGALRM, &action, 0);
    while (left > 0) {
        if (sigsetjmp(outside, 1) == 0) {
            setitimer(ITIMER_REAL, &soon, 0);
            for (;;)
                once(1);
        }
        left--;
    }
    {
        /* What comes after is recorded. */
        int i;
        for (i = 0; i < 50; i++) {
            FRAME(g);
            BEGIN(g, 1, i, 0);
            END(g);
        }
    }
    return 50;
}

/* dying HOW FILE: counts each finished sample in FILE, then ends in some way */
static int dying(const char *how, const char *file)
{
    int fd = open(file, O_RDWR | O_CREAT, 0666);
    volatile uint64_t *count;
    int i;
    if (fd < 0 || ftruncate(fd, 4096))
        return -1;
    count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (i = 0; how[0] == 'k' || i < 12345; i++) {
        once(i);
        *count = *count + 1;
    }
    if (how[0] == '_')
        _exit(3);
    if (how[0] == 'a') {
        struct rlimit none = { 0, 0 };
        setrlimit(RLIMIT_CORE, &none);
        abort();
    }
    return 0;
}

/* gate: 10 samples, 10 without, 10 with; one region across each change */
static int gate(void)
{
    many(10);
    {
        FRAME(g);
        BEGIN(g, 1, 1, 0);
        cll_off();
        END(g); /* begun while on: kept */
    }
    many(10);
    {
        FRAME(h);
        BEGIN(h, 2, 0, 0);
        cll_on();
        END(h); /* begun while off: none */
    }
    many(10);
    return 20;
}

/* unharmed: what a program can see of itself stays as it was; prints what changed */
static int unharmed(void)
{
    sigset_t before, after;
    int lowest = open("/dev/null", O_RDONLY), fd, changed = 0, i;
    close(lowest);
    /* The system writes only as much of them as it has signals. */
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    sigprocmask(SIG_SETMASK, 0, &before);
    for (i = 0; i < 200000; i++) {
        errno = 4711;
        once(i);
        changed |= errno != 4711;
    }
    sigprocmask(SIG_SETMASK, 0, &after);
    changed |= memcmp(&before, &after, sizeof before) != 0 ? 2 : 0;
    fd = open("/dev/null", O_RDONLY);
    changed |= fd != lowest ? 4 : 0;
    return changed;
}

/* closing COUNT: closes all descriptors it did not open, then goes on */
static int closing(int count)
{
    int fd;
    once(0);
    for (fd = 3; fd < 1024; fd++)
        close(fd);
    many(count - 1);
    return count;
}

/* changing: to another folder before the first sample */
static int changing(void)
{
    if (chdir("/"))
        return -1;
    many(4);
    return 4;
}

/* limited BYTES COUNT: no file may be longer */
static int limited(int bytes, int count)
{
    struct rlimit limit;
    limit.rlim_cur = limit.rlim_max = (rlim_t)bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    many(count);
    return count;
}

/* loops: the values of two loops, one in another, as one number per line */
static void loops(void)
{
    struct cll_loop outer = CLL_LOOP_INIT, inner = CLL_LOOP_INIT;
    long n;
    double x;
    cll_loop_begin(&outer, 0, 0);
    for (n = 1; n < 64 && cll_loop_push(&outer, &n, sizeof n); n *= 2) {}
again:
    if (!cll_loop_next(&outer, &n))
        goto done;
    cll_loop_begin(&inner, 1, 1);
    for (x = 0.5; x < 2 && cll_loop_push(&inner, &x, sizeof x); x += 0.5) {}
within:
    if (!cll_loop_next(&inner, &x))
        goto again;
    printf("%g\n", (double)n + x);
    goto within;
done:
    n = 3;
    cll_loop_begin(&outer, 2, 0);
    while (cll_loop_push(&outer, &n, sizeof n)) {} /* does not end by itself */
    cll_loop_close(&outer);
}

/* reports: asked for twice, and of all */
static int reports(void)
{
    static const char *const names[] = { "f", "g" };
    cll_report(&marked_unit, names, 2);
    many(3);
    cll_report(&marked_unit, names, 2);
    cll_report(&marked_unit, 0, 0);
    return 3;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int a = argc > 2 ? atoi(argv[2]) : 0, b = argc > 3 ? atoi(argv[3]) : 0, result;
#define SCENE(scene, call) if (!strcmp(name, scene)) result = (call); else
    SCENE("plain", (many(a), a))
    SCENE("sleeps", sleeps(a, b))
    SCENE("recursion", recursion(a))
    SCENE("threads", threads(a, b))
    SCENE("crowd", crowd(a))
    SCENE("early", early(a))
    SCENE("forks", forks())
    SCENE("vforks", vforks(argv[0]))
    SCENE("exec", (many(a), execl(argv[0], argv[0], "plain", argv[3], (char *)0)))
    SCENE("jumps", jumps(a))
    SCENE("ends", ends(a))
    SCENE("interrupts", interrupts(a))
    SCENE("leaping", leaping(a))
    SCENE("dying", dying(argv[2], argv[3]))
    SCENE("gate", gate())
    SCENE("unharmed", unharmed())
    SCENE("closing", closing(a))
    SCENE("changing", changing())
    SCENE("limited", limited(a, b))
    SCENE("loops", (loops(), 0))
    SCENE("reports", reports())
    return 2;
    printf("%d\n", result);
    return 0;
}
