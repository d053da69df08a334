/* bsp_get: memory is there as long as it is registered. */
// processors: 2 3
// engine: processes
// expect: bsp_sync at {here}: .. what is got from processor .. is not there any more
#include <bsp.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    char got[8], *area = malloc(9000);
    void *volatile name = area;
    memset(area, 7, 9000);
    bsp_push_reg(area, 9000);
    bsp_sync();
    for (int round = 0; round < 6; round++) {
        bsp_get((bsp_pid() + 1) % bsp_nprocs(), name, 0, got, sizeof got);
        if (round == 5) {
            free(area);
            malloc_trim(0);
        }
        bsp_sync(); /* here */
    }
    bsp_end();
    return 0;
}
