/* More processors than any small machine has cores. */
// processors: 64
// output: sum 2016
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), all[64], sum = 0;
    bsp_push_reg(all, sizeof all);
    bsp_sync();
    for (int round = 0; round < 5; round++) {
        for (int q = 0; q < p; q++)
            bsp_put(q, &s, all, s * sizeof s, sizeof s);
        bsp_sync();
    }
    for (int q = 0; q < p; q++)
        sum += all[q];
    if (s == 0)
        printf("sum %d\n", sum);
    bsp_end();
    return 0;
}
