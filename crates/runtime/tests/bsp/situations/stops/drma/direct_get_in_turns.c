/* A direct get needs memory that can be read immediately. */
// processors: 2 3
// engine: virtual
// expect: processor 1 of {p}: bsp_direct_get at {here}: .. virtual processors .. bsp_get
#include <bsp.h>

int main(void)
{
    int x = 1, y;
    bsp_begin(bsp_nprocs());
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_direct_get(0, &x, 0, &y, sizeof y); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
