/* bsp_begin must be asked for one processor at least. */
// expect: bsp_begin at {here}: .. 0 processors
#include <bsp.h>

int main(void)
{
    bsp_begin(0); /* here */
    bsp_end();
    return 0;
}
