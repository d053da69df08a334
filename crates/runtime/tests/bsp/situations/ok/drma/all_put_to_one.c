/* One processor receives from all, then sends to all, while the others have little to do. */
#include "situation.h"

void situation_all_put_to_one(void)
{
    enum { SIZE = 30000 };
    int p = procs();
    for (int root = 0; root < p; root++) {
        unsigned char *area = calloc(p, SIZE), *from = malloc(SIZE);
        fill(from, SIZE, me());
        bsp_push_reg(area, me() == root ? p * SIZE : SIZE);
        bsp_sync();
        bsp_put(root, from, area, me() * SIZE, SIZE);
        bsp_sync();
        if (me() == root)
            for (int q = 0; q < p; q++) {
                CHECK(is_filled(area + q * SIZE, SIZE, q));
                if (q != root)
                    bsp_put(q, area + (p - 1 - q) * SIZE, area, 0, SIZE);
            }
        bsp_sync();
        if (me() != root)
            CHECK(is_filled(area, SIZE, p - 1 - me()));
        bsp_pop_reg(area);
        bsp_sync();
        free(area);
        free(from);
    }
}
