/*
 * instructions CALL: two processors make the same call in each superstep. The instructions of processor 0 in
 * `superstep` are counted from outside, in batches. It begins each superstep when the other one waits in it.
 */
#define _GNU_SOURCE
#include <bsp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BATCHES = 100, SUPERSTEPS = 50 };

/* The superstep that processor 1 has begun. */
static _Atomic long *begun;

static const char *call;
static int other;
static long source[2], area[2], got;

/* The library starts /proc/self/exe; under valgrind that can be read as a link, but would start valgrind. */
int execve(const char *path, char *const arguments[], char *const environment[])
{
    char program[4096] = {0};

    if (readlink(path, program, sizeof program - 1) > 0)
        path = program;
    return (int)syscall(SYS_execve, path, arguments, environment);
}

/* A word that both processes have, though they begin with main. */
static void map_begun(void)
{
    static const char variable[] = "INSTRUCTIONS_FILE";
    const char *name = getenv(variable);
    char text[16];
    int file = name ? atoi(name) : memfd_create("begun", 0);

    if (!name && ftruncate(file, 4096) == 0) {
        snprintf(text, sizeof text, "%d", file);
        setenv(variable, text, 1);
    }
    begun = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (begun == MAP_FAILED)
        abort();
}

/* Returns on processor 0 when the other one is in this superstep, and has gone on to wait there. */
static void let_the_other_go_first(long number)
{
    if (bsp_pid() == 1) {
        atomic_store(begun, number);
        return;
    }
    while (atomic_load(begun) < number)
        continue;
    for (volatile int i = 0; i < 100; i++)
        continue;
}

static int is(const char *name)
{
    return strcmp(call, name) == 0;
}

/* What is counted: nothing outside of it is. */
static __attribute__((noinline)) void superstep(char kind, int offset)
{
    int size;

    switch (kind) {
    case 'p':
        bsp_put(other, source, area, 0, sizeof *source);
        break;
    case 'g':
        bsp_get(other, area, offset, &got, sizeof got);
        break;
    case 's':
        bsp_send(other, NULL, source, sizeof *source);
        bsp_sync();
        bsp_get_tag(&size, NULL);
        bsp_move(&got, sizeof got);
        return;
    }
    bsp_sync();
}

static __attribute__((noinline)) void batch(long first)
{
    /* The same get in each superstep is subscribed to, another one is not. */
    char kind = is("sync") ? '-' : is("put") ? 'p' : is("send") ? 's' : 'g';
    int offset = is("other get") ? sizeof got : 0;

    for (long i = first; i < first + SUPERSTEPS; i++) {
        let_the_other_go_first(i);
        superstep(kind, i % 2 * offset);
    }
}

static void run(void)
{
    bsp_begin(2);
    other = 1 - bsp_pid();
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (long i = 0; i < BATCHES; i++)
        batch(1 + i * SUPERSTEPS);
    bsp_end();
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    call = argv[1];
    map_begun();
    bsp_init(run, argc, argv);
    run();
    return 0;
}
