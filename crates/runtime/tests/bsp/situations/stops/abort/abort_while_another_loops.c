/* bsp_abort ends a processor that never calls the library again. */
// processors: 3 8
// expect: enough of it
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 1)
        bsp_abort("enough of it\n");
    for (volatile int i = 0; bsp_pid() > 1; i = 1 - i)
        ;
    bsp_sync();
    bsp_end();
    return 0;
}
