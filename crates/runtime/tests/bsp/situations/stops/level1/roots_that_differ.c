/* All processors name the same root. */
// processors: 2 3 8
// expect: bsp_bcast at {here}: .. bsp_bcast
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_bcast(bsp_pid() == 1 ? 1 : 0, &x, &x, sizeof x); /* here */
    bsp_end();
    return 0;
}
