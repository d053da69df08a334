/* The size that bsp_set_tagsize is given is not negative. */
// dialect: int
// expect: bsp_set_tagsize at {here}: .. negative .. -8
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = -8;
    bsp_set_tagsize(&size); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
