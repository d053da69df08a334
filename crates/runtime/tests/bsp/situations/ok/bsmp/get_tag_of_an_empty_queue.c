/* Of an empty queue bsp_get_tag says -1, and leaves the tag alone. */
#include "situation.h"

void situation_get_tag_of_an_empty_queue(void)
{
    set_tagsize(8);
    bsp_sync();
    bsp_sync(); /* now what is read has tags of 8 bytes */
    unsigned char tag[8];
    memset(tag, 0xAB, sizeof tag);
    CHECK_EQUAL(first_tag(tag), -1);
    CHECK(all_are(tag, sizeof tag, 0xAB));
    bsp_send(right(), "12345678", NULL, 0);
    bsp_sync();
    CHECK_EQUAL(first_tag(tag), 0);
    CHECK(memcmp(tag, "12345678", 8) == 0);
    bsp_move(NULL, 0);
    memset(tag, 0xAB, sizeof tag);
    CHECK_EQUAL(first_tag(tag), -1);
    CHECK(all_are(tag, sizeof tag, 0xAB));
    set_tagsize(0);
    bsp_sync();
}
