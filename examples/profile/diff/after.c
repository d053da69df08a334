/*
 * after.c: before.c after it was changed. What differs is said there.
 */
#include <bsp.h>

#define APART __attribute__((noinline))

static char bytes[4096];
static volatile int sum;

static void APART ring(int count)
{
    bsp_send((bsp_pid() + 1) % bsp_nprocs(), NULL, bytes, count);
}

/* Some lines that were not here before move everything that follows. */
static int APART prepared(void)
{
    for (int i = 0; i < (int)sizeof bytes; i++)
        bytes[i] = (char)i;
    return bytes[1];
}

static void APART unchanged(void)
{
    ring(100);
    bsp_sync();
}

static void APART distribute(void)
{
    ring(300);
    bsp_sync();
    ring(310);
    bsp_sync();
}

static inline __attribute__((always_inline)) void small(void)
{
    ring(400);
    bsp_sync();
}

static void APART large(void)
{
    small();
    sum++;
}

static void APART first_half(void)
{
    ring(500);
    bsp_sync();
}

static void APART second_half(void)
{
    ring(510);
    bsp_sync();
    sum++;
}

/* Was not there before. */
static void APART added(void)
{
    ring(700);
    bsp_sync();
}

static void APART moved(void)
{
    ring(200);
    bsp_sync();
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    sum += prepared();
    for (int i = 0; i < 3; i++) {
        unchanged();
        moved();
        distribute();
        large();
        first_half();
        second_half();
        added();
    }
    if (bsp_pid() == 0)
        puts("after: done");
    bsp_end();
    return 0;
}
