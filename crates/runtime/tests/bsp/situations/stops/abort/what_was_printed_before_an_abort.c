/* What the processor that aborts has printed is not lost. */
// output: printed before
// expect: stops
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0) {
        printf("printed before");
        bsp_abort("stops\n");
    }
    bsp_sync();
    bsp_end();
    return 0;
}
