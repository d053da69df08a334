/* A master that hands out and collects, as programs with messages do. */
#include "situation.h"

void situation_from_one_to_all_and_back(void)
{
    set_tagsize(sizeof(int));
    bsp_sync();
    for (int round = 0; round < 10; round++) {
        int tag, value;
        if (me() == 0)
            for (int work = 0; work < 3 * procs(); work++) {
                value = work * round;
                bsp_send(work % procs(), &work, &value, sizeof value);
            }
        bsp_sync();
        CHECK_EQUAL(messages(), 3);
        while (first_tag(&tag) != -1) {
            bsp_move(&value, sizeof value);
            value += 1000;
            bsp_send(0, &tag, &value, sizeof value);
        }
        bsp_sync();
        CHECK_EQUAL(messages(), me() == 0 ? 3 * procs() : 0);
        while (me() == 0 && first_tag(&tag) != -1) {
            bsp_move(&value, sizeof value);
            CHECK_EQUAL(value, tag * round + 1000);
        }
    }
    set_tagsize(0);
    bsp_sync();
}
