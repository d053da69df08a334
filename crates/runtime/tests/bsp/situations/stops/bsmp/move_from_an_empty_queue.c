/* bsp_move needs a message. */
// expect: processor {last} of {p}: bsp_move at {here}: .. no message
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_move(&x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
