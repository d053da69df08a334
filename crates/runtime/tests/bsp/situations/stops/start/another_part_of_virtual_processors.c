/* Virtual processors have one parallel part. */
// engine: virtual
// expect: bsp_begin at {here}: .. one parallel part .. --engine processes
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
    bsp_begin(bsp_nprocs()); /* here */
    bsp_end();
    return 0;
}
