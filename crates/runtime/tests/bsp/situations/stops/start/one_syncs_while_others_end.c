/* All processors call bsp_sync equally often: one in bsp_sync, the others in bsp_end is an
 * error. */
// processors: 2 3 8
// expect: processor .. bsp_sync .. bsp_end
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_sync();
    bsp_end();
    return 0;
}
