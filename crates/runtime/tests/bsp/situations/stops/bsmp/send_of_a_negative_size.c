/* bsp_send: a size is not negative. */
// dialect: int
// expect: processor {last} of {p}: bsp_send at {here}: .. size .. -1
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_send(0, NULL, "x", -1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
