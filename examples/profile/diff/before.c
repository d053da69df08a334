/*
 * before.c: a program before it was changed; after.c is the same after it.
 *
 * Shows: what a comparison of two profiles has to find again. Every function here sends so many bytes to the
 * next processor that its superstep can be told from all others by its h-relation.
 *
 *   cd examples/profile/diff
 *   cll cc -O2 -g before.c -o before && cll run -n 4 --log ./before
 *   cll cc -O2 -g after.c -o after && cll run -n 4 --log ./after
 *   cll profile diff before.cll.0.log after.cll.0.log
 */
#include <bsp.h>

#define APART __attribute__((noinline))

static char bytes[4096];
static volatile int sum;

static void APART ring(int count)
{
    bsp_send((bsp_pid() + 1) % bsp_nprocs(), NULL, bytes, count);
}

/* Stays what it is. */
static void APART unchanged(void)
{
    ring(100);
    bsp_sync();
}

/* Moves to another place of the file. */
static void APART moved(void)
{
    ring(200);
    bsp_sync();
}

/* Gets another name: `distribute`. */
static void APART scatter_rows(void)
{
    ring(300);
    bsp_sync();
    ring(310);
    bsp_sync();
}

/* Is put into its caller by the compiler. */
static void APART small(void)
{
    ring(400);
    bsp_sync();
}

static void APART large(void)
{
    small();
    sum++;
}

/* Becomes two: `first_half` and `second_half`. */
static void APART whole(void)
{
    ring(500);
    bsp_sync();
    ring(510);
    bsp_sync();
    sum++;
}

/* Is no longer there. */
static void APART removed(void)
{
    ring(600);
    bsp_sync();
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    for (int i = 0; i < 3; i++) {
        unchanged();
        moved();
        scatter_rows();
        large();
        whole();
        removed();
    }
    if (bsp_pid() == 0)
        puts("before: done");
    bsp_end();
    return 0;
}
