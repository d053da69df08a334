/* bsp_move copies at most the requested bytes; the rest of the message is discarded. */
#include "situation.h"

void situation_move_cuts_off_what_is_too_long(void)
{
    unsigned char payload[100], got[100];
    fill(payload, sizeof payload, me());
    for (int i = 0; i < 5; i++)
        bsp_send(right(), NULL, payload, 40);
    bsp_sync();
    static const int asked[] = { 0, 1, 39, 40, 100 };
    for (int i = 0; i < 5; i++) {
        int copied = asked[i] < 40 ? asked[i] : 40;
        memset(got, 0xEE, sizeof got);
        bsp_move(got, asked[i]);
        CHECK(is_filled(got, copied, left()));
        CHECK(all_are(got + copied, sizeof got - copied, 0xEE));
        CHECK_EQUAL(messages(), 4 - i);
        CHECK_EQUAL(message_bytes(), 40 * (4 - i));
    }
    bsp_sync();
}
