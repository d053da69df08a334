/* All processors call bsp_sync equally often: one in bsp_end, the others in bsp_sync is an
 * error. */
// processors: 2 3 8
// expect: processor .. bsp_end .. bsp_sync
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() != 0)
        bsp_sync();
    bsp_end();
    return 0;
}
