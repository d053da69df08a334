/* A total exchange by gets, of small and of large blocks. */
#include "situation.h"

static void fetch_blocks(size_t block)
{
    int p = procs();
    unsigned char *area = malloc(p * block), *back = calloc(p, block);
    for (int q = 0; q < p; q++)
        fill(area + q * block, block, 64 * me() + q);
    bsp_push_reg(area, p * block);
    bsp_sync();
    for (int q = 0; q < p; q++)
        bsp_get(q, area, me() * block, back + q * block, block);
    bsp_sync();
    for (int q = 0; q < p; q++)
        CHECK(is_filled(back + q * block, block, 64 * q + me()));
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(back);
}

void situation_everybody_gets_from_everybody(void)
{
    static const size_t sizes[] = { 1, 8, 100, 4096, 70000 };
    for (int i = 0; i < 5; i++)
        fetch_blocks(sizes[i]);
}
