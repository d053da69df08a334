/* A message is aligned to 16 and may be changed. */
#include "situation.h"

void situation_data_can_be_changed_and_is_aligned(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    static const int sizes[] = { 1, 31, 32, 33, 63, 65, 4000, 5000 };
    static char bytes[5000];
    for (int i = 0; i < 8; i++)
        bsp_send(all, me, bytes, sizes[i]);
    bsp_oblsync(all, 8);
    for (int i = 0; i < 8; i++) {
        unsigned char *data = bspmsg_data(bsp_getmsg(all, i));
        CHECK_EQUAL((uintptr_t)data % 16, 0);
        fill(data, (size_t)sizes[i], (unsigned)i);
    }
    for (int i = 0; i < 8; i++)
        CHECK(is_filled(bspmsg_data(bsp_getmsg(all, i)), (size_t)sizes[i], (unsigned)i));
    CHECK(p > 0);
}
