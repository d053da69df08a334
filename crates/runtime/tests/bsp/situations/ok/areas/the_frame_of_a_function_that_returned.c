/* Stack that was registered is ordinary stack again after the pop: other functions use it. */
#include "situation.h"

static void borrow_stack(int size)
{
    unsigned char block[60000];
    unsigned char byte = 1 + me();
    memset(block, 0, sizeof block);
    bsp_push_reg(block, size);
    bsp_sync();
    bsp_put(right(), &byte, block, size - 1, 1);
    bsp_pop_reg(block);
    bsp_sync();
    CHECK_EQUAL(block[size - 1], 1 + left());
    CHECK_EQUAL(block[size - 2], 0);
}

static void use_stack(void)
{
    volatile unsigned char block[60000];
    for (int i = 0; i < 60000; i++)
        block[i] = (unsigned char)(i + me());
    for (int i = 0; i < 60000; i += 997)
        CHECK_EQUAL(block[i], (unsigned char)(i + me()));
}

void situation_the_frame_of_a_function_that_returned(void)
{
    for (int size = 1000; size <= 60000; size += 11800) {
        borrow_stack(size);
        use_stack();
    }
}
