/* bsp_hpsend sends the values that the bytes have until the synchronisation. */
#include "situation.h"

void situation_an_hpsend_arrives(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    static unsigned char bytes[3][200000];
    static const int sizes[3] = { 16, 3000, 200000 };
    for (int i = 0; i < 3; i++) {
        fill(bytes[i], (size_t)sizes[i], (unsigned)(7 * me + i));
        bsp_hpsend(all, right_of(all), bytes[i], sizes[i]);
    }
    bsp_oblsync(all, 3);
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i < 3; i++) {
        t_bspmsg *m = bsp_getmsg(all, i);
        CHECK_EQUAL(bspmsg_size(m), sizes[i]);
        CHECK(is_filled(bspmsg_data(m), (size_t)sizes[i], (unsigned)(7 * ((me + p - 1) % p) + i)));
    }
}
