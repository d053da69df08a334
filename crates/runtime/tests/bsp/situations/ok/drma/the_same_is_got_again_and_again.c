/* What is got in the same way in each superstep is what is there then: of variables, of the stack, of little
 * and of much memory; beside puts, with supersteps without gets in between, and when it becomes different. */
#include "situation.h"

enum { MUCH = 1 << 16, ROUNDS = 8 };

static long variables[100];

static void check_rounds(long *area, size_t bytes, int at, int count)
{
    long *got = calloc((size_t)count, sizeof *got), mine = 0;
    bsp_push_reg(area, (bsp_size_t)bytes);
    bsp_push_reg(&mine, sizeof mine);
    bsp_sync();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++)
            area[at + i] = 1000 * me() + 10 * round + i;
        if (round == 5)
            bsp_sync(); /* without gets */
        bsp_get(right(), area, (bsp_size_t)(at * (int)sizeof *area), got,
                (bsp_size_t)((size_t)count * sizeof *got));
        if (round == 6) /* one more */
            bsp_get(left(), area, (bsp_size_t)(at * (int)sizeof *area), &mine, sizeof mine);
        else if (round % 2 == 1) /* is written after all was read */
            bsp_put(left(), &(long){ -1 }, area, (bsp_size_t)(at * (int)sizeof *area), sizeof *area);
        if (me() == 0 && round == 4) /* one asks for something else, the others do not */
            bsp_get(right(), &mine, 0, &mine, sizeof mine);
        bsp_sync();
        for (int i = 0; i < count; i++)
            CHECK_EQUAL(got[i], 1000 * right() + 10 * round + i);
        CHECK_EQUAL(area[at], round != 6 && round % 2 == 1 ? -1 : 1000 * me() + 10 * round);
        if (round == 6)
            CHECK_EQUAL(mine, 1000 * left() + 60);
    }
    bsp_pop_reg(area);
    bsp_pop_reg(&mine);
    bsp_sync();
    free(got);
}

void situation_the_same_is_got_again_and_again(void)
{
    long stacked[40], *little = malloc(50 * sizeof *little), *much = malloc(MUCH * sizeof *much);
    check_rounds(variables, sizeof variables, 3, 20);
    check_rounds(stacked, sizeof stacked, 0, 1);
    check_rounds(little, 50 * sizeof *little, 7, 43);
    check_rounds(much, MUCH * sizeof *much, 0, 64);
    check_rounds(much, MUCH * sizeof *much, MUCH / 2, 1);
    check_rounds(much, MUCH * sizeof *much, MUCH - 100, 100);
    check_rounds(much, MUCH * sizeof *much, 0, 2000);
    free(little);
    free(much);
    bsp_sync();
}
