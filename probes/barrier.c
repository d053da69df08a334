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

/* A batch of about half a millisecond. */
static void empty_supersteps(void)
{
    int iterations = 16;
    for (int attempt = 0; attempt < 2; attempt++) {
        double begin = now();
        for (int k = 0; k < iterations; k++)
            bsp_sync();
        double each = (now() - begin) / iterations, fit = 5e5 / (each > 1 ? each : 1);
        if (me == 0 && attempt > 0)
            printf("empty barrier %d %.2f\n", iterations, each);
        if (attempt == 0)
            iterations = (int)decided(fit < 4 ? 4 : fit > 10000 ? 10000 : fit);
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
    settle();
    for (int batch = 0; batch < 4; batch++)
        empty_supersteps();
    for (int i = 4; i < argc && p > 1; i++) {
        size_t bytes;
        if (i % BETWEEN == 0)
            empty_supersteps();
        int pattern = entry(argv[i], &bytes);
        if (!sample(pattern, bytes)) /* the time is up */
            break;
    }
    if (me == 0 && clocks_apart)
        printf("clocks apart\n");
    bsp_end();
    return 0;
}
