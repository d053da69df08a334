/*
 * Supersteps of BSPlib that end in a barrier: communication by bsp_put. See probe.h.
 */
#include <bsp.h>

#include "probe.h"

static unsigned char *source, *area;
static struct note notes[MOST];
static struct note *all; /* processor 0's: MOST of each */
static double decision;  /* processor 0's, for all */

static void superstep(struct note *note, uint64_t value)
{
    write_all(source, most_sent, value);
    note->asked = now();
    for (int k = 0; k < count; k++)
        if (messages[k].from == me)
            bsp_put(messages[k].to, source + messages[k].source, area, (int)messages[k].offset,
                    (int)messages[k].bytes);
    note->came = note->entered = now();
    bsp_sync();
    note->went = note->end = now();
    read_all(area, most_received);
}

static double decided(double own)
{
    if (me == 0)
        for (int s = 0; s < p; s++)
            bsp_put(s, &own, &decision, 0, sizeof own);
    bsp_sync();
    return decision;
}

static int sample(int pattern, size_t bytes)
{
    double begin = 0;
    relation(pattern, bytes);
    for (int k = 0; k < WARM_UP; k++) {
        begin = now();
        superstep(&notes[0], (uint64_t)k);
    }
    int repetitions = (int)decided(repetitions_for(now() - begin));
    for (int k = 0; k < repetitions; k++)
        superstep(&notes[k], (uint64_t)k);
    bsp_put(0, notes, all, (int)(sizeof notes * (size_t)me), (int)sizeof notes);
    bsp_sync();
    if (me == 0 && repetitions > 0)
        tell(names[pattern], bytes, all, repetitions, 0);
    return repetitions > 0;
}

/* Batches of about a millisecond. */
static void empty_supersteps(void)
{
    int iterations = 16;
    for (int batch = 0; batch < 12; batch++) {
        double begin = now();
        for (int k = 0; k < iterations; k++)
            bsp_sync();
        double each = (now() - begin) / iterations;
        if (me == 0 && batch >= 2)
            printf("empty barrier %d %.2f\n", iterations, each);
        if (batch < 2) {
            double fit = 1e6 / (each > 1 ? each : 1);
            iterations = (int)decided(fit < 4 ? 4 : fit > 20000 ? 20000 : fit);
        }
    }
}

int main(int argc, char **argv)
{
    arguments(argc, argv);
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    me = bsp_pid();
    size_t size = room(argc, argv), noted = sizeof notes * (size_t)p;
    if (size == 0)
        bsp_abort("a wrong plan\n");
    source = malloc(size);
    area = malloc(size);
    all = malloc(noted);
    if (!source || !area || !all)
        bsp_abort("not enough memory for %zu bytes\n", size);
    memset(source, 1, size);
    memset(area, 1, size);
    memset(all, 0, noted);
    bsp_push_reg(area, (int)size);
    bsp_push_reg(all, me == 0 ? (int)noted : 0);
    bsp_push_reg(&decision, sizeof decision);
    bsp_sync();
    if (me == 0)
        printf("rate %.6g\n", rate());
    empty_supersteps();
    for (int i = 4; i < argc && p > 1; i++) {
        size_t bytes;
        int pattern = entry(argv[i], &bytes);
        if (!sample(pattern, bytes)) /* the time is up */
            break;
    }
    if (me == 0 && clocks_apart)
        printf("clocks apart\n");
    bsp_end();
    return 0;
}
