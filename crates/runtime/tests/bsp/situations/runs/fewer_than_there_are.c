/* bsp_begin starts at most the requested number of processors; the others are not visible. */
// processors: 2 3 5 8
// output: 2 processors of {p}
// output: after the end 2
#include <bsp.h>

int main(void)
{
    int there = bsp_nprocs();
    bsp_begin(2);
    int x = -1, s = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(1 - s, &s, &x, 0, sizeof s);
    bsp_sync();
    if (bsp_nprocs() != 2 || x != 1 - s)
        bsp_abort("%d processors, %d put %d", (int)bsp_nprocs(), s, x);
    if (s == 0)
        printf("%d processors of %d\n", (int)bsp_nprocs(), there);
    bsp_end();
    printf("after the end %d\n", (int)bsp_nprocs());
    return 0;
}
