/* Messages of many pages. */
#include "situation.h"

void situation_large_messages(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int size = 3 << 20;
    unsigned char *bytes = malloc((size_t)size);
    for (int i = 0; i < 4; i++) {
        fill(bytes, (size_t)size, (unsigned)(me + i));
        bsp_hpsend(all, right_of(all), bytes, size);
        if (i % 2)
            bsp_sync(all);
        else
            bsp_oblsync(all, 1);
        CHECK_EQUAL(bsp_nmsgs(all), 1);
        CHECK(is_filled(bspmsg_data(bsp_getmsg(all, 0)), (size_t)size,
                        (unsigned)((me + p - 1) % p + i)));
    }
    free(bytes);
}
