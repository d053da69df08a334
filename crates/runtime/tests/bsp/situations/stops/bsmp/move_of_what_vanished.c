/* bsp_move finds no message that is older than the superstep before. */
// expect: bsp_move at {here}: .. no message
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_send(bsp_pid(), NULL, &x, sizeof x);
    bsp_sync();
    bsp_sync();
    bsp_move(&x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
