/* bsp_hpmove gives pointers to tag and payload, aligned for any type, and says the length. */
#include "situation.h"

void situation_hpmove_points_to_the_message(void)
{
    unsigned char bytes[300];
    fill(bytes, sizeof bytes, me());
    set_tagsize(5);
    bsp_sync();
    for (int i = 0; i < 300; i++)
        bsp_send(right(), bytes + i % 200, bytes, i);
    bsp_sync();
    fill(bytes, sizeof bytes, left());
    for (int i = 0; i < 300; i++) {
        void *tag = NULL, *payload = NULL;
        CHECK_EQUAL(bsp_hpmove(&tag, &payload), i);
        CHECK_EQUAL((uintptr_t)tag % 16, 0);
        CHECK(i == 0 || (uintptr_t)payload % 16 == 0);
        CHECK(memcmp(tag, bytes + i % 200, 5) == 0);
        CHECK(memcmp(payload, bytes, i) == 0);
    }
    CHECK_EQUAL(messages(), 0);
    set_tagsize(0);
    bsp_sync();
}
