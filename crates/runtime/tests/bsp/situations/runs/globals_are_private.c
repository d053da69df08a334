/* What a processor writes in a global the others never see, during the SPMD part and after. */
// output: -10 -20 7
#include <bsp.h>
#include <stdlib.h>

static int global_value = 1;
static int *block;

int main(void)
{
    int local = 7;
    block = malloc(sizeof *block);
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0) {
        global_value = -10;
        *block = -20;
    } else {
        global_value = 999;
        block = malloc(sizeof *block);
        *block = 998;
        local = 997;
    }
    bsp_sync();
    if (bsp_pid() == 0 ? global_value != -10 || *block != -20 || local != 7
                       : global_value != 999 || *block != 998 || local != 997)
        bsp_abort("processor %d sees %d, %d and %d", (int)bsp_pid(), global_value, *block, local);
    bsp_sync();
    bsp_end();
    printf("%d %d %d\n", global_value, *block, local);
    return 0;
}
