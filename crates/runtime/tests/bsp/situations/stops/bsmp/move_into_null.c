/* bsp_move: NULL for a buffer that has bytes. */
// expect: bsp_move at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_send(bsp_pid(), NULL, &x, sizeof x);
    bsp_sync();
    bsp_move(NULL, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
