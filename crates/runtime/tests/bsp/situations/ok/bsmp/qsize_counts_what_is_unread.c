/* bsp_qsize counts unread messages and the bytes of their payloads, not of their tags. */
#include "situation.h"

void situation_qsize_counts_what_is_unread(void)
{
    unsigned char payload[64] = { 0 };
    set_tagsize(24);
    bsp_sync();
    unsigned char tag[24] = { 0 };
    for (int i = 0; i < 10; i++)
        bsp_send(right(), tag, payload, i);
    bsp_sync();
    long long count = 10, bytes = 45;
    for (int i = 0; i < 10; i++) {
        CHECK_EQUAL(messages(), count);
        CHECK_EQUAL(message_bytes(), bytes);
        CHECK_EQUAL(first_tag(tag), i); /* removes nothing */
        CHECK_EQUAL(messages(), count);
        if (i % 2) {
            bsp_move(payload, 3); /* takes the whole message off */
        } else {
            void *its_tag = NULL, *its_payload = NULL;
            CHECK_EQUAL(bsp_hpmove(&its_tag, &its_payload), i);
        }
        count -= 1;
        bytes -= i;
    }
    CHECK(messages() == 0 && message_bytes() == 0);
    set_tagsize(0);
    bsp_sync();
}
