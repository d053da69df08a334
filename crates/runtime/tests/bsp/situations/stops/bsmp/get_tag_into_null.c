/* bsp_get_tag: the tag may be NULL only if tags have no bytes. */
// expect: bsp_get_tag at {here}: .. tag .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_size_t size = 4;
    int tag = 7;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(bsp_pid(), &tag, NULL, 0);
    bsp_sync();
    bsp_get_tag(&size, NULL); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
