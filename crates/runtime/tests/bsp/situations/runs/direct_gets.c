/* bsp_direct_get reads at once what another processor has, small areas and large ones, on the heap and the
 * stack, and what was put there in the superstep before. */
// not with: virtual
// output: good
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 100000 };

int main(void)
{
    int p, s, i, got, sum, on_the_stack[10];
    char *large = malloc(LARGE), *copy = malloc(LARGE);
    bsp_begin(bsp_nprocs());
    p = (int)bsp_nprocs();
    s = (int)bsp_pid();
    for (i = 0; i < 10; i++)
        on_the_stack[i] = 100 * s + i;
    memset(large, 'a' + s, LARGE);
    bsp_push_reg(on_the_stack, sizeof on_the_stack);
    bsp_push_reg(large, LARGE);
    bsp_sync();
    for (i = 0; i < p; i++) {
        bsp_direct_get(i, on_the_stack, 3 * sizeof(int), &got, sizeof got);
        if (got != 100 * i + 3)
            bsp_abort("%d of %d: %d\n", s, i, got);
        bsp_direct_get(i, large, 1, copy, LARGE - 2);
        if (copy[0] != 'a' + i || memcmp(copy, copy + 1, LARGE - 3) != 0)
            bsp_abort("%d of %d: a large area\n", s, i);
    }
    bsp_direct_get(77, NULL, 0, NULL, 0);
    for (i = 0; i < 100; i++) {
        bsp_sync();
        bsp_put((s + 1) % p, &i, on_the_stack, 0, sizeof i);
        bsp_put((s + 1) % p, large, large, 0, LARGE);
        bsp_sync();
        bsp_direct_get((s + 2) % p, on_the_stack, 0, &sum, sizeof sum);
        if (sum != i)
            bsp_abort("%d in superstep %d: %d\n", s, i, sum);
    }
    bsp_sync();
    bsp_end();
    puts("good");
    return 0;
}
