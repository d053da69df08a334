/* bsp_abort may be called after bsp_end. */
// expect: the result is wrong
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_abort("the result is wrong");
    return 0;
}
