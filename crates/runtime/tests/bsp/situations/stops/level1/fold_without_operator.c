/* bsp_fold needs an operator. */
// expect: bsp_fold at {here}: .. null
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int x = 0;
    bsp_fold((cll_bsp_operator)NULL, &x, &x, sizeof x); /* here */
    bsp_end();
    return 0;
}
