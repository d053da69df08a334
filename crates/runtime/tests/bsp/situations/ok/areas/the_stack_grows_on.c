/* An area on the stack does not keep the stack from growing, while it is registered and after. */
#include "situation.h"

/* Uses about depth KiB of stack. */
static int deep(int depth)
{
    volatile char frame[1024];
    frame[0] = frame[1023] = (char)depth;
    return depth == 0 ? 0 : frame[0] * 0 + 1 + deep(depth - 1);
}

void situation_the_stack_grows_on(void)
{
    unsigned char block[30000]; /* not touched before it is registered */
    bsp_push_reg(block, sizeof block);
    CHECK_EQUAL(deep(1000), 1000);
    bsp_sync();
    CHECK_EQUAL(deep(2000), 2000);
    fill(block, sizeof block, me());
    unsigned char got[100];
    bsp_get(right(), block, 20000, got, sizeof got);
    CHECK_EQUAL(deep(3000), 3000);
    bsp_pop_reg(block);
    bsp_sync();
    CHECK_EQUAL(deep(5000), 5000);
    unsigned char expected[30000];
    fill(expected, sizeof expected, right());
    CHECK(memcmp(got, expected + 20000, sizeof got) == 0);
    CHECK(is_filled(block, sizeof block, me()));
}
