/* bsp_get_tag: there must be a place for the status. */
// expect: bsp_get_tag at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_get_tag(NULL, NULL); /* here */
    bsp_sync();
    bsp_end();
    return 0;
}
