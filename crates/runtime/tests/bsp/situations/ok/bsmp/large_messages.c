/* Messages of some mebibytes, beside small ones. */
#include "situation.h"

void situation_large_messages(void)
{
    size_t size = (3 << 20) + 77;
    unsigned char *payload = malloc(size), *got = calloc(size, 1);
    fill(payload, size, me());
    bsp_send(right(), NULL, "before", 6);
    bsp_send(right(), NULL, payload, size);
    bsp_send(right(), NULL, "after", 5);
    bsp_sync();
    CHECK_EQUAL(messages(), 3);
    CHECK_EQUAL(message_bytes(), 11 + size);
    bsp_move(got, 6);
    CHECK(memcmp(got, "before", 6) == 0);
    CHECK_EQUAL(first_tag(NULL), size);
    bsp_move(got, size);
    CHECK(is_filled(got, size, left()));
    bsp_move(got, 5);
    CHECK(memcmp(got, "after", 5) == 0);
    bsp_sync();
    free(payload);
    free(got);
}
