#include <bsp.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double *parts, sum = 0;
    long p, s, i, n = argc > 1 ? atol(argv[1]) : 0;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    parts = calloc(p, sizeof *parts);
    bsp_push_reg(parts, p * sizeof *parts);
    bsp_sync();
    for (i = s; i < n; i += p)
        sum += 1.0 / (1.0 + i);
    bsp_put(0, &sum, parts, s * sizeof sum, sizeof sum);
    bsp_sync();
    bsp_end();
    return 0;
}
