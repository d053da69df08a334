/* bsp_move: a size is not negative. */
// dialect: int
// expect: bsp_move at {here}: .. size .. -4
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_send(bsp_pid(), NULL, &x, sizeof x);
    bsp_sync();
    bsp_move(&x, -4); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
