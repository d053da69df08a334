/* All processors call bsp_set_tagsize equally often. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. bsp_set_tagsize
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = 0;
    if (bsp_pid() == bsp_nprocs() - 1)
        bsp_set_tagsize(&size);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
