/* Registering and popping change no byte in the area or beside it. */
#include "situation.h"

void situation_the_content_stays(void)
{
    enum { SIZE = 40000, FROM = 1234, LENGTH = 30001 };
    unsigned char *block = malloc(SIZE);
    fill(block, SIZE, me());
    bsp_push_reg(block + FROM, LENGTH);
    CHECK(is_filled(block, SIZE, me()));
    bsp_sync();
    CHECK(is_filled(block, SIZE, me()));
    bsp_sync();
    bsp_pop_reg(block + FROM);
    bsp_sync();
    CHECK(is_filled(block, SIZE, me()));
    free(block);
}
