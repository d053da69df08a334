/* The pointers of bsp_hpmove are valid until the next bsp_sync, whatever is sent, moved or put
 * meanwhile. */
#include "situation.h"

void situation_what_hpmove_gave_stays_until_the_sync(void)
{
    enum { COUNT = 200, SIZE = 1000 };
    unsigned char bytes[SIZE], *area = malloc(COUNT * SIZE);
    void *tags[COUNT], *payloads[COUNT];
    bsp_push_reg(area, COUNT * SIZE);
    set_tagsize(sizeof(int));
    bsp_sync();
    for (int i = 0; i < COUNT; i++) {
        fill(bytes, SIZE, 1000 * me() + i);
        bsp_send(right(), &i, bytes, SIZE);
    }
    bsp_sync();
    for (int i = 0; i < COUNT; i++) {
        if (i % 3 == 1) {
            bsp_move(bytes, SIZE);
            payloads[i] = NULL;
        } else {
            CHECK_EQUAL(bsp_hpmove(&tags[i], &payloads[i]), SIZE);
        }
        memset(bytes, i, SIZE);
        for (int k = 0; k < 5; k++)
            bsp_send((right() + k) % procs(), &k, bytes, SIZE);
        bsp_put(left(), bytes, area, i * SIZE, SIZE);
    }
    for (int i = 0; i < COUNT; i++)
        if (payloads[i] != NULL) {
            CHECK(is_filled(payloads[i], SIZE, 1000 * left() + i));
            CHECK_EQUAL(*(int *)tags[i], i);
        }
    set_tagsize(0);
    bsp_pop_reg(area);
    bsp_sync();
    CHECK_EQUAL(messages(), 5 * COUNT);
    bsp_sync();
    free(area);
}
