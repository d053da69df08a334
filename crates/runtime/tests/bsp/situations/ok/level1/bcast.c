/* bsp_bcast copies the root's bytes to all processors, the root too; nothing is registered. */
#include "situation.h"

void situation_bcast(void)
{
    static const size_t sizes[] = { 1, 8, 100, 5000, 200000 };
    unsigned char *from = malloc(200000), *to = malloc(200000);
    for (int root = 0; root < procs(); root++)
        for (int i = 0; i < 5; i++) {
            fill(from, sizes[i], 10 * me() + i);
            memset(to, 0, sizes[i]);
            bsp_bcast(root, from, to, sizes[i]);
            CHECK(is_filled(to, sizes[i], 10 * root + i));
            CHECK(is_filled(from, sizes[i], 10 * me() + i));
        }
    int here = 10 + me();
    bsp_bcast(procs() - 1, &here, &here, sizeof here);
    CHECK_EQUAL(here, 10 + procs() - 1);
    bsp_bcast(0, NULL, NULL, 0);
    free(from);
    free(to);
}
