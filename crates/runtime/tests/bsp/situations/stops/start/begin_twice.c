/* There is one bsp_begin. */
// expect: processor 0 of {p}: bsp_begin at {here}: .. called already
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_begin(bsp_nprocs()); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
