/* The program may not end within the SPMD part: a return from main is an error. */
// expect: of {p}: .. before bsp_end
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_sync();
    return 0;
}
