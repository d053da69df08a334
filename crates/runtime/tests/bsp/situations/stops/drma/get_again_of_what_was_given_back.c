/* bsp_get: memory is there as long as it is registered. */
// processors: 2 3
// engine: processes
// expect: bsp_sync at {here}: .. the memory to be read on processor .. does not exist any more
#include <bsp.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 3 * 4096 };

int main(void)
{
    bsp_begin(bsp_nprocs());
    char got[8], *area = sbrk(BYTES);
    memset(area, 7, BYTES);
    bsp_push_reg(area, BYTES);
    bsp_sync();
    for (int round = 0; round < 6; round++) {
        bsp_get((bsp_pid() + 1) % bsp_nprocs(), area, 0, got, sizeof got);
        if (round == 5 && sbrk(0) == area + BYTES)
            sbrk(-BYTES);
        bsp_sync(); /* here */
    }
    bsp_end();
    return 0;
}
