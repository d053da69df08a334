/* An area of any place and size: all of it is put and got, and nothing beside it changes. */
#ifndef AREAS_H
#define AREAS_H

#include "situation.h"

/* Around the boundaries of words, cache lines and pages: from a byte to three pages and one. */
static const size_t area_sizes[] = { 1,    2,    7,    8,    9,    15,   16,    17,   63,   64,
                                     65,   100,  1000, 4000, 4095, 4096, 4097,  5000, 8191, 8192,
                                     8193, 8200, 12287, 12288, 12289 };
static const size_t area_starts[] = { 0, 1, 2, 4, 8, 15, 16, 64, 100, 2048, 4088, 4095, 4096 };
enum { AREA_SIZES = sizeof area_sizes / sizeof *area_sizes };
enum { AREA_STARTS = sizeof area_starts / sizeof *area_starts };
enum { AREA_ROOM = 4096 + 12289 + 4096 };

/* The area is block[start .. start + size - 1]; block has AREA_ROOM bytes. */
static void area_round_trip(unsigned char *block, size_t start, size_t size)
{
    static unsigned char from[12289], back[12289];
    unsigned char *area = block + start;
    size_t after = AREA_ROOM - start - size;
    memset(block, 0xA5, AREA_ROOM);
    fill(from, size, me());
    memset(back, 0, sizeof back);

    bsp_push_reg(area, size);
    bsp_sync();
    bsp_put(right(), from, area, 0, size);
    bsp_sync();
    CHECK(is_filled(area, size, left()));
    CHECK(all_are(block, start, 0xA5) && all_are(area + size, after, 0xA5));

    bsp_get(left(), area, 0, back, size);
    bsp_pop_reg(area);
    bsp_sync();
    CHECK(is_filled(back, size, (left() + procs() - 1) % procs()));
    CHECK(is_filled(area, size, left()));
    CHECK(all_are(block, start, 0xA5) && all_are(area + size, after, 0xA5));
}

#endif
