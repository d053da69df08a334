/* A program may have its SPMD part in main, without bsp_init; processor 0 continues after it. */
// output: {p} processors
// output: sum {sum}
// output: goes on
#include <bsp.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), all[64];
    bsp_push_reg(all, sizeof all);
    bsp_sync();
    bsp_put(0, &s, all, s * sizeof s, sizeof s);
    bsp_sync();
    if (s == 0) {
        int sum = 0;
        for (int q = 0; q < p; q++)
            sum += all[q];
        printf("%d processors\nsum %d\n", p, sum);
    }
    bsp_end();
    puts("goes on");
    return 0;
}
