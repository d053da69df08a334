/* A plain bsp_sync where the others scan: nothing goes from the last to anybody, and it is noticed all the same. */
// processors: 2 3 4 5 8
// expect: processor 0 is in a collective call at {here} .. processor {last} is in bsp_sync at
#include <bsp.h>

static void add(void *result, void *left, void *right, bsp_size_t *size)
{
    (void)size;
    *(int *)result = *(int *)left + *(int *)right;
}

int main(void)
{
    int x = 1;
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_sync();
    else
        bsp_scan(add, &x, &x, sizeof x); /* here */
    bsp_end();
    return 0;
}
