/* bsp_send reads its bytes during the call: they may be changed after it. */
#include "situation.h"

void situation_a_send_copies_at_the_call(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    static unsigned char bytes[70000];
    static const int sizes[] = { 1, 8, 32, 33, 1000, 4096, 4097, 70000 };
    for (int i = 0; i < 8; i++) {
        fill(bytes, (size_t)sizes[i], (unsigned)(10 * me + i));
        bsp_send(all, right_of(all), bytes, sizes[i]);
        memset(bytes, 0, sizeof bytes);
    }
    bsp_oblsync(all, 8);
    for (int i = 0; i < 8; i++) {
        t_bspmsg *m = bsp_getmsg(all, i);
        CHECK_EQUAL(bspmsg_size(m), sizes[i]);
        CHECK(is_filled(bspmsg_data(m), (size_t)sizes[i], (unsigned)(10 * ((me + p - 1) % p) + i)));
    }
}
