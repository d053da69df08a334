/* A direct get may not reach beyond the area. */
// processors: 2 3
// expect: processor 1 of {p}: bsp_direct_get at {here}: offset 4 with 8 bytes .. the 8 bytes that processor 0
#include <bsp.h>

int main(void)
{
    double x = 1, y;
    bsp_begin(bsp_nprocs());
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_direct_get(0, &x, 4, &y, sizeof y); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
