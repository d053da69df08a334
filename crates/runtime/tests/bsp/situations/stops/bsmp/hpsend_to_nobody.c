/* bsp_hpsend: the receiver is one of 0 .. p-1. */
// expect: processor 0 of {p}: bsp_hpsend at {here}: .. processor {p}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_hpsend(bsp_nprocs(), NULL, "x", 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
