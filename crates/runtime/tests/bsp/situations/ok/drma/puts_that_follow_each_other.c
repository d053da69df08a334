/* Puts, each directly behind the last: they arrive as requested, with other requests in between. */
#include "situation.h"

enum { AREA = 200000 };

/* Puts `from` in pieces of these sizes, in turn, one behind the other. */
static size_t put_all(const unsigned char *from, const void *area, const size_t *sizes, int count)
{
    size_t at = 0;
    for (int i = 0; at + sizes[i % count] <= AREA; i++) {
        unsigned char piece[5000];
        memcpy(piece, from + at, sizes[i % count]);
        bsp_put(right(), piece, (void *)area, (int)at, (int)sizes[i % count]);
        memset(piece, 0xee, sizeof piece);
        at += sizes[i % count];
    }
    return at;
}

void situation_puts_that_follow_each_other(void)
{
    static const size_t words[] = { 8 }, odd[] = { 1, 3, 8, 13, 4, 2 }, large[] = { 4096, 5000, 7 };
    unsigned char *area = calloc(1, AREA), *from = malloc(AREA), byte = 7, other = 9;
    bsp_push_reg(area, AREA);
    bsp_sync();

    fill(from, AREA, me());
    size_t all = put_all(from, area, words, 1);
    bsp_sync();
    CHECK(all == AREA && is_filled(area, all, left()));

    fill(from, AREA, 10 + me());
    all = put_all(from, area, odd, 6);
    bsp_sync();
    CHECK(is_filled(area, all, 10 + left()));

    fill(from, AREA, 20 + me());
    all = put_all(from, area, large, 3);
    bsp_sync();
    CHECK(is_filled(area, all, 20 + left()));

    /* What is put twice, and what is got in between. */
    memset(area, 0, AREA);
    bsp_sync();
    bsp_put(right(), &byte, area, 0, 1);
    bsp_get(right(), area, 1, &other, 1);
    bsp_put(right(), &byte, area, 1, 1);
    bsp_put(right(), &byte, area, 2, 1);
    byte = 8;
    bsp_put(right(), &byte, area, 1, 1);
    bsp_put(right(), &byte, area, 3, 1);
    bsp_sync();
    CHECK(area[0] == 7 && area[1] == 8 && area[2] == 7 && area[3] == 8 && area[4] == 0);
    CHECK(other == 0);

    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    free(from);
}
