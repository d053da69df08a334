/* bsp_gather puts the parts one after the other on the root; bsp_scatter hands them out. */
#include "situation.h"

void situation_gather_and_scatter(void)
{
    enum { PART = 3001 };
    unsigned char part[PART], back[PART], *all = malloc(procs() * PART);
    for (int root = 0; root < procs(); root++) {
        fill(part, PART, 100 * root + me());
        memset(all, 0xEE, procs() * PART);
        bsp_gather(root, part, all, PART);
        if (me() == root)
            for (int q = 0; q < procs(); q++)
                CHECK(is_filled(all + q * PART, PART, 100 * root + q));
        else
            CHECK(all_are(all, procs() * PART, 0xEE));
        memset(back, 0, PART);
        bsp_scatter(root, all, back, PART);
        CHECK(is_filled(back, PART, 100 * root + me()));
    }
    free(all);
}
