/* bsp_begin must request at least one processor. */
// expect: bsp_begin at {here}: .. 0 processors
#include <bsp.h>

int main(void)
{
    bsp_begin(0); /* here */
    bsp_end();
    return 0;
}
