/* Standard input is processor 0's. */
// not with: threads
// input: 12 30
// output: 42
#include <pub.h>

int main(void)
{
    t_bsp bsp;
    int a, b, count;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    count = scanf("%d %d", &a, &b);
    if (bsp_pid(&bsp) == 0 ? count != 2 : count > 0)
        bsp_abort(&bsp, "%d numbers\n", count);
    if (bsp_pid(&bsp) == 0)
        printf("%d\n", a + b);
    bsplib_done();
    return 0;
}
