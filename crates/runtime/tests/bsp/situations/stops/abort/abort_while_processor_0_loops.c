/* bsp_abort ends processor 0, too, if that never calls the library again: only a signal can. */
// processors: 2 3 8
// status: not 0
// expect: enough of it
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 1)
        bsp_abort("enough of it\n");
    for (volatile int i = 0; bsp_pid() == 0; i = 1 - i)
        ;
    bsp_sync();
    bsp_end();
    return 0;
}
