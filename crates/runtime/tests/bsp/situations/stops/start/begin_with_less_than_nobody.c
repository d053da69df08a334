/* A negative number of processors is an error. */
// dialect: int
// expect: bsp_begin at {here}: .. -3 processors
#include <bsp.h>

int main(void)
{
    bsp_begin(-3); /* here */
    bsp_end();
    return 0;
}
