/* switched SCENE COUNT: f around g around what the scene does, h beside it within f. Prints
 * how often it was done. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "marked.h"

static void sleeping(void)
{
    struct timespec t = { 0, 1000000 };
    nanosleep(&t, 0);
}

static void nothing(void) {}

/* The kernel then looks at the thread, though it is not switched out. */
static void closing(void)
{
    int fd = open("/proc/self/stat", O_RDONLY);
    char text[64];
    if (fd < 0 || read(fd, text, sizeof text) < 0)
        abort();
    close(fd);
}

static void interrupted(void) { raise(SIGUSR1); }
static void handler(int signal_number) { (void)signal_number; }

/* 60 ms on a processor that a child wants too */
static void contended(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 60000000L);
}

static pid_t compete(void)
{
    cpu_set_t set;
    int processor = sched_getcpu();
    pid_t child;
    CPU_ZERO(&set);
    CPU_SET((unsigned)processor, &set);
    sched_setaffinity(0, sizeof set, &set);
    child = fork();
    if (child == 0)
        for (;;) {}
    return child;
}

/* Another library's sequence stands in the thread's word, as tcmalloc leaves one there. */
static void foreign(void)
{
#if defined(__x86_64__) && defined(__linux__)
    extern const long __rseq_offset __attribute__((weak));
    static const struct { uint32_t version, flags; uint64_t begin, length, otherwise; }
        sequence __attribute__((aligned(32))) = { 0, 0, 1, 0, 0 };
    static uint64_t whole[8] __attribute__((aligned(32)));
    static const uint32_t signature[2] = { 0x53053053, 0 };
    char *area;
    if (&__rseq_offset) {
        __asm__("mov %%fs:0, %0" : "=r"(area));
        memcpy(whole, &sequence, sizeof sequence);
        whole[1] = whole[3] = (uint64_t)(uintptr_t)&signature[1];
        *(volatile uint64_t *)(area + __rseq_offset + 8) = (uint64_t)(uintptr_t)whole;
    }
#endif
    sleeping();
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[2]) : 1, i;
    void (*scene)(void) = !strcmp(name, "sleeping") ? sleeping
        : !strcmp(name, "closing") ? closing
        : !strcmp(name, "interrupted") ? interrupted
        : !strcmp(name, "contended") ? contended
        : !strcmp(name, "foreign") ? foreign : nothing;
    pid_t child = scene == contended ? compete() : 0;
    signal(SIGUSR1, handler);
    for (i = 0; i < count; i++) {
        FRAME(f);
        FRAME(g);
        FRAME(h);
        BEGIN(f, 0, 1, 1);
        BEGIN(h, 2, 0, 0);
        END(h);
        BEGIN(g, 1, 1, 0);
        scene();
        END(g);
        BEGIN(h, 2, 0, 0);
        END(h);
        END(f);
    }
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, 0, 0);
    }
    printf("%d\n", count);
    return 0;
}
