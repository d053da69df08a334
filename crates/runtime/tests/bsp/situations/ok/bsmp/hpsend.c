/* bsp_hpsend reads tag and payload at any time until the end of bsp_sync. */
#include "situation.h"

void situation_hpsend(void)
{
    static const size_t sizes[] = { 0, 1, 16, 1000, 5000, 200000, 1000001 };
    unsigned char *payloads[7], *got = malloc(1000001);
    int tags[7];
    set_tagsize(sizeof(int));
    bsp_sync();
    for (int i = 0; i < 7; i++) {
        payloads[i] = malloc(sizes[i] + 1);
        fill(payloads[i], sizes[i], 10 * me() + i);
        tags[i] = 100 * me() + i;
        bsp_hpsend(right(), &tags[i], payloads[i], sizes[i]);
        if (i % 2)
            bsp_send(right(), &tags[i], payloads[i], sizes[i]);
    }
    set_tagsize(0);
    bsp_sync();
    for (int i = 0; i < 7; i++)
        for (int copies = i % 2 ? 2 : 1; copies > 0; copies--) {
            int tag = -1;
            CHECK_EQUAL(first_tag(&tag), sizes[i]);
            CHECK_EQUAL(tag, 100 * left() + i);
            bsp_move(got, sizes[i]);
            CHECK(is_filled(got, sizes[i], 10 * left() + i));
        }
    for (int i = 0; i < 7; i++)
        free(payloads[i]);
    free(got);
    bsp_sync();
}
