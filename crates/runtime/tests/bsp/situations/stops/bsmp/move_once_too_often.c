/* bsp_move needs a message for each call. */
// expect: processor 0 of {p}: bsp_move at {here}: .. no message
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_send(0, NULL, &x, sizeof x);
    bsp_sync();
    for (int i = 0; bsp_pid() == 0 && i <= (int)bsp_nprocs(); i++)
        bsp_move(&x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
