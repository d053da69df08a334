/* bsp_set_tagsize needs a size. */
// expect: bsp_set_tagsize at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_set_tagsize(NULL); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
