/* counted SCENE COUNT: regions whose counts are known. f is counted where CLL_COUNTERS says so,
 * g has a clause, h has none. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cll.h"

static const char *const variables[] = { "N" };
static const char *const clause[] = { "page-faults", "cpu-time" };
static const char *const unknown[] = { "page-fault" };
static const struct cll_place places[] = {
    { "f", "f[0]*N", "counted.c", "main", 10, 20, 1, 1, variables, 0, 0 },
    { "g", "g[0]*N", "counted.c", "main", 30, 40, 1, 1, variables, 2, clause },
    { "h", "h[0]", "counted.c", "main", 50, 60, 0, 1, 0, 0, 0 },
    { "u", "u[0]", "counted.c", "main", 70, 80, 0, 1, 0, 1, unknown }
};
static struct cll_unit unit = { CLL_VERSION, 4, places, "counted.c", "sequential", "gcc", 0, 0 };
__attribute__((constructor(101))) static void register_unit(void)
{
    /* Without the last place nothing is asked for that is not there. */
    if (!getenv("UNKNOWN"))
        unit.nplaces = 3;
    cll_register_unit(&unit);
}

static void touch(int pages)
{
    size_t length = (size_t)pages * 4096;
    volatile char *memory = mmap(0, length, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t at;
    if (memory == MAP_FAILED)
        abort();
    madvise((void *)memory, length, MADV_NOHUGEPAGE);
    for (at = 0; at < length; at += 4096)
        memory[at] = 1;
    munmap((void *)memory, length);
}

/* g of 100 pages around h of 50 around g of 30 */
static void nested(void)
{
    struct cll_frame g = CLL_FRAME_INIT, h = CLL_FRAME_INIT, i = CLL_FRAME_INIT;
    double n = 100, m = 30;
    cll_enter_counted(&g, &unit, 1);
    touch(100);
    cll_enter(&h, &unit, 2);
    touch(50);
    cll_enter_counted(&i, &unit, 1);
    touch(30);
    cll_leave_counted(&i, &unit, 1, &m, 1, 0);
    cll_leave(&h, &unit, 2, 0, 0, 0);
    cll_leave_counted(&g, &unit, 1, &n, 1, 0);
}

static void once(double n)
{
    struct cll_frame f = CLL_FRAME_INIT;
    cll_enter(&f, &unit, 0);
    touch((int)n);
    cll_leave(&f, &unit, 0, &n, 1, 0);
}

static void *thread(void *unused)
{
    nested();
    once(20);
    return unused;
}

static void threads(int count)
{
    pthread_t all[64];
    int i;
    for (i = 0; i < count; i++)
        if (pthread_create(&all[i], 0, thread, 0))
            abort();
    for (i = 0; i < count; i++)
        pthread_join(all[i], 0);
}

/* A region that began before a fork ends in the parent only; both go on. */
static void forks(void)
{
    struct cll_frame f = CLL_FRAME_INIT;
    double n = 7;
    pid_t child;
    cll_enter(&f, &unit, 0);
    touch(7);
    child = fork();
    if (child == 0) {
        cll_leave(&f, &unit, 0, &n, 1, 0);
        once(40);
        exit(0);
    }
    waitpid(child, 0, 0);
    cll_leave(&f, &unit, 0, &n, 1, 0);
    once(50);
}

/* 10000 bytes written and read again, in calls of 1000 */
static void files(void)
{
    struct cll_frame f = CLL_FRAME_INIT;
    double n = 10000;
    char text[1000];
    char name[] = "counted.XXXXXX";
    int fd = mkstemp(name), i;
    memset(text, 'x', sizeof text);
    cll_enter(&f, &unit, 0);
    for (i = 0; i < 10; i++)
        if (write(fd, text, sizeof text) != sizeof text)
            abort();
    lseek(fd, 0, SEEK_SET);
    for (i = 0; i < 10; i++)
        if (read(fd, text, sizeof text) != sizeof text)
            abort();
    cll_leave(&f, &unit, 0, &n, 1, 0);
    close(fd);
    unlink(name);
}

/* deep COUNT: so many regions in one another, a page each */
static void deep(int count)
{
    struct cll_frame f = CLL_FRAME_INIT;
    double n = count;
    cll_enter(&f, &unit, 0);
    touch(1);
    if (count > 1)
        deep(count - 1);
    cll_leave(&f, &unit, 0, &n, 1, 0);
}

/* Closes all descriptors, the counters' too. */
static void closing(void)
{
    int fd;
    once(10);
    for (fd = 3; fd < 2048; fd++)
        close(fd);
    once(10);
}

/* work COUNT: so many steps */
static void work(int count)
{
    struct cll_frame f = CLL_FRAME_INIT, h = CLL_FRAME_INIT;
    double n = count;
    volatile int i;
    cll_enter(&f, &unit, 0);
    for (i = 0; i < count; i++) {}
    cll_enter(&h, &unit, 2);
    for (i = 0; i < count; i++) {}
    cll_leave(&h, &unit, 2, 0, 0, 0);
    cll_leave(&f, &unit, 0, &n, 1, 0);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[2]) : 1, i;
    touch(3);
    if (!strcmp(scene, "nested"))
        for (i = 0; i < count; i++)
            nested();
    else if (!strcmp(scene, "once"))
        once(count);
    else if (!strcmp(scene, "threads"))
        threads(count);
    else if (!strcmp(scene, "forks"))
        forks();
    else if (!strcmp(scene, "files"))
        files();
    else if (!strcmp(scene, "deep"))
        deep(count);
    else if (!strcmp(scene, "closing"))
        closing();
    else if (!strcmp(scene, "work"))
        for (i = 1; i <= 10; i++)
            work(i * count);
    else
        return 2;
    return 0;
}
