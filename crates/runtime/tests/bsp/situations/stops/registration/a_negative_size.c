/* The size of an area is not negative. */
// dialect: int
// expect: processor {last} of {p}: bsp_push_reg at {here}: .. negative .. -4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_push_reg(&x, bsp_pid() == bsp_nprocs() - 1 ? -4 : 4); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
