/* bsp_abort may be called before bsp_begin. */
// expect: out of luck, 7 of 8
#include <bsp.h>

int main(void)
{
    bsp_abort("out of luck, %d of %s\n", 7, "8");
    return 0;
}
