/* All processors make the same collective call. */
// processors: 2 3 8
// expect: processor 0 is in bsp_sync at .. processor 1 is in a collective call at {here}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    if (bsp_pid() == 0)
        bsp_sync();
    else
        bsp_bcast(0, &x, &x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
