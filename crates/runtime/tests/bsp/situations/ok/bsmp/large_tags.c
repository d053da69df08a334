/* A tag may be larger than its payload, and large. */
#include "situation.h"

void situation_large_tags(void)
{
    enum { TAG = 70000 };
    unsigned char *tag = malloc(TAG), *got = malloc(TAG);
    fill(tag, TAG, me());
    set_tagsize(TAG);
    bsp_sync();
    bsp_send(right(), tag, "x", 1);
    bsp_send(right(), tag, NULL, 0);
    set_tagsize(0);
    bsp_sync();
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(first_tag(got), 1 - i);
        CHECK(is_filled(got, TAG, left()));
        bsp_move(NULL, 0);
        memset(got, 0, TAG);
    }
    bsp_sync();
    free(tag);
    free(got);
}
