/* bsp_end needs a bsp_begin. */
// expect: bsp_end at {here}: .. bsp_begin
#include <bsp.h>

int main(void)
{
    bsp_end(); /* here */
    return 0;
}
