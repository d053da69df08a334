/* There is one bsp_end. */
// expect: bsp_end at {here}: .. ended
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_end(); /* here */
    return 0;
}
