/* Random supersteps of everything, against what the standard says of them: each processor
 * plays the whole machine for itself and compares its own part. */
#include "situation.h"

enum { RANDOM_P = 8, RANDOM_AREA = 600, RANDOM_PUTS = 12, RANDOM_SUPERSTEPS = 60 };

static uint64_t random_state;

static unsigned below(unsigned limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

void situation_a_random_program(void)
{
    static unsigned char area[RANDOM_AREA], model[RANDOM_P][RANDOM_AREA];
    static unsigned char old[RANDOM_P][RANDOM_AREA];
    int p = procs();
    if (p > RANDOM_P)
        return;
    random_state = 2003;
    memset(area, 0, sizeof area);
    memset(model, 0, sizeof model);
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int step = 0; step < RANDOM_SUPERSTEPS; step++) {
        unsigned char puts[RANDOM_P][RANDOM_PUTS][64];
        struct { int to, offset, size; } put[RANDOM_P][RANDOM_PUTS];
        struct { int from, offset, at, size; } get[RANDOM_P][RANDOM_PUTS];
        int count[RANDOM_P], bytes_to_me = 0, messages_to_me = 0;
        for (int s = 0; s < p; s++) {
            count[s] = (int)below(RANDOM_PUTS + 1);
            for (int i = 0; i < count[s]; i++) {
                int size = 1 + (int)below(64);
                put[s][i].to = (int)below(p);
                put[s][i].size = size;
                put[s][i].offset = (int)below(RANDOM_AREA - size + 1);
                fill(puts[s][i], 64, below(1 << 20));
                get[s][i].from = (int)below(p);
                get[s][i].size = size = 1 + (int)below(64);
                get[s][i].offset = (int)below(RANDOM_AREA - size + 1);
                get[s][i].at = (int)below(RANDOM_AREA - 64);
                if (s == me()) {
                    bsp_put(put[s][i].to, puts[s][i], area, put[s][i].offset, put[s][i].size);
                    bsp_get(get[s][i].from, area, get[s][i].offset, area + get[s][i].at, size);
                }
                int sent = (int)below(65), to = (int)below(p);
                if (s == me())
                    bsp_send(to, NULL, puts[s][i], sent);
                messages_to_me += to == me();
                bytes_to_me += to == me() ? sent : 0;
            }
        }
        /* All gets are read, then written, then the puts: by sources ascending. */
        memcpy(old, model, sizeof old);
        for (int from = 0; from < p; from++)
            for (int s = 0; s < p; s++)
                for (int i = 0; i < count[s]; i++)
                    if (get[s][i].from == from)
                        memcpy(model[s] + get[s][i].at, old[from] + get[s][i].offset,
                               get[s][i].size);
        for (int s = 0; s < p; s++)
            for (int i = 0; i < count[s]; i++)
                memcpy(model[put[s][i].to] + put[s][i].offset, puts[s][i], put[s][i].size);
        bsp_sync();
        CHECK(memcmp(area, model[me()], sizeof area) == 0);
        memcpy(area, model[me()], sizeof area); /* one difference is told once */
        CHECK_EQUAL(messages(), messages_to_me);
        CHECK_EQUAL(message_bytes(), bytes_to_me);
    }
    bsp_pop_reg(area);
    bsp_sync();
}
