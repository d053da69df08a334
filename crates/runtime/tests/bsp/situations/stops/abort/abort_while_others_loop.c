/* bsp_abort ends processors that never call the library again. */
// processors: 2 3 8
// expect: enough of it
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 1)
        bsp_abort("enough of it\n");
    for (volatile int i = 0;; i = 1 - i)
        ;
    bsp_end();
    return 0;
}
