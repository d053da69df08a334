/* In a part processors are numbered as in it; short and long puts and gets. */
#include "situation.h"

void situation_puts_of_all_sizes_in_a_part(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    static unsigned char area[32 * 40000], got[40000];
    static const int sizes[] = { 1, 8, 1000, 1024, 1025, 5000, 40000 };
    t_bsp half;
    halve(all, &half);
    int q = bsp_nprocs(&half), i = bsp_pid(&half), base = me - i;
    bsp_push_reg(&half, area, sizeof area);
    bsp_sync(&half);
    for (int s = 0; s < 7; s++) {
        static unsigned char bytes[40000];
        int size = sizes[s];
        for (int to = 0; to < q; to++) {
            fill(bytes, (size_t)size, (unsigned)(100 * s + me));
            if (to % 2)
                bsp_put(&half, to, bytes, area, 40000 * i, size);
            else
                bsp_hpput(&half, to, bytes, area, 40000 * i, size);
        }
        bsp_sync(&half);
        for (int from = 0; from < q; from++)
            CHECK(is_filled(area + 40000 * from, (size_t)size, (unsigned)(100 * s + base + from)));
        if (s % 2)
            bsp_get(&half, right_of(&half), area, 40000 * i, got, size);
        else
            bsp_hpget(&half, right_of(&half), area, 40000 * i, got, size);
        bsp_sync(&half);
        CHECK(is_filled(got, (size_t)size, (unsigned)(100 * s + me)));
    }
    bsp_done(&half);
    CHECK(p > 0);
}
