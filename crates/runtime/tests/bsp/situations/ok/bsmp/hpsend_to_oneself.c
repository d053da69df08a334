/* An unbuffered message to oneself, moved and pointed to. */
#include "situation.h"

void situation_hpsend_to_oneself(void)
{
    unsigned char payload[9000], got[9000];
    fill(payload, sizeof payload, me());
    bsp_hpsend(me(), NULL, payload, sizeof payload);
    bsp_hpsend(me(), NULL, payload, 10);
    bsp_sync();
    void *tag = NULL, *its = NULL;
    bsp_move(got, sizeof got);
    CHECK(is_filled(got, sizeof got, me()));
    CHECK_EQUAL(bsp_hpmove(&tag, &its), 10);
    memset(payload, 0, sizeof payload); /* ours again; the message is not this memory */
    CHECK(is_filled(its, 10, me()));
    bsp_sync();
}
