/* bsp_hpsend: the tag may be NULL only if tags have no bytes. */
// expect: bsp_hpsend at {here}: .. tag .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = 4;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_hpsend(0, NULL, "x", 1); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
