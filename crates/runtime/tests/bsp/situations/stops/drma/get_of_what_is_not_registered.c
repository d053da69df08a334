/* bsp_get: the remote area must be registered. */
// expect: processor {last} of {p}: bsp_get at {here}: .. registered
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int area[4] = { 0 }, x = 0;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    int other[4] = { 0 };
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_get(0, other, 0, &x, sizeof x); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
