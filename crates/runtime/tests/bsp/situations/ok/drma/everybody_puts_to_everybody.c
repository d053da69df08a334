/* A total exchange, of small and of large blocks. */
#include "situation.h"

static void exchange_blocks(size_t block)
{
    int p = procs();
    unsigned char *area = calloc(p, block), *from = malloc(block);
    bsp_push_reg(area, p * block);
    bsp_sync();
    for (int q = 0; q < p; q++) {
        fill(from, block, 64 * me() + q);
        bsp_put(q, from, area, me() * block, block);
    }
    bsp_sync();
    for (int q = 0; q < p; q++)
        CHECK(is_filled(area + q * block, block, 64 * q + me()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
}

void situation_everybody_puts_to_everybody(void)
{
    static const size_t sizes[] = { 1, 8, 100, 4096, 70000 };
    for (int i = 0; i < 5; i++)
        exchange_blocks(sizes[i]);
}
