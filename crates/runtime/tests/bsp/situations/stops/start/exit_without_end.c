/* The program may not end within the SPMD part: exit is an error of its processor. */
// expect: processor {last} of {p}: .. before bsp_end
#include <bsp.h>
#include <stdlib.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == bsp_nprocs() - 1)
        exit(0);
    bsp_sync();
    bsp_end();
    return 0;
}
