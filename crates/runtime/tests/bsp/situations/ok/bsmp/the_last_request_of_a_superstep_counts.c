/* Of several bsp_set_tagsize in a superstep the last one takes effect. */
#include "situation.h"

void situation_the_last_request_of_a_superstep_counts(void)
{
    set_tagsize(100);
    set_tagsize(4);
    bsp_sync();
    int tag = 5 + me();
    bsp_send(right(), &tag, NULL, 0);
    set_tagsize(1000);
    set_tagsize(0);
    bsp_sync();
    unsigned char got[8];
    memset(got, 0xEE, sizeof got);
    CHECK_EQUAL(first_tag(got), 0);
    memcpy(&tag, got, sizeof tag);
    CHECK(tag == 5 + left() && all_are(got + 4, 4, 0xEE));
    bsp_send(right(), NULL, NULL, 0);
    bsp_sync();
    CHECK_EQUAL(first_tag(NULL), 0);
    bsp_sync();
}
