/* bsp_send: the receiver of an empty message, too, is one of 0 .. p-1. */
// expect: bsp_send at {here}: .. processor {p}
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_send(bsp_nprocs(), NULL, NULL, 0); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
