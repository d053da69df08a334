/* A bsp_set_tagsize that overrides another of the same superstep is called by all. */
// processors: 2 3 8
// expect: bsp_sync at {here}: .. bsp_set_tagsize
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = 4;
    bsp_set_tagsize(&size);
    size = 8;
    if (bsp_pid() == 0)
        bsp_set_tagsize(&size);
    bsp_sync(); /* here */
    bsp_end();
    return 0;
}
