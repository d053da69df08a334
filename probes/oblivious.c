/*
 * Supersteps of machine objects that end when what is sent has come: communication by bsp_send. See
 * probe.h. A barrier, which is not timed, stands before each, so that all begin together and
 * nobody who waits for nobody runs ahead.
 */
#include <pub.h>

#include "probe.h"

static t_bsp machine;
static unsigned char *source;
static struct note notes[MOST];
static struct note *all; /* processor 0's: MOST of each */

static void read_received(void)
{
    for (int k = 0; k < bsp_nmsgs(&machine); k++) {
        t_bspmsg *message = bsp_getmsg(&machine, k);
        read_all(bspmsg_data(message), (size_t)bspmsg_size(message));
    }
}

static void superstep(struct note *note, uint64_t value)
{
    int expected = 0;
    for (int k = 0; k < count; k++)
        expected += messages[k].to == me;
    note->came = now();
    bsp_sync(&machine);
    note->went = now();
    write_all(source, most_sent, value);
    note->asked = now();
    for (int k = 0; k < count; k++)
        if (messages[k].from == me)
            bsp_send(&machine, messages[k].to, source + messages[k].source, (int)messages[k].bytes);
    note->entered = now();
    bsp_oblsync(&machine, expected);
    note->end = now();
    double begin = now(), middle;
    read_received();
    middle = now();
    read_received();
    note->fetch = 2 * middle - begin - now();
}

static double decided(double own)
{
    if (me == 0)
        for (int s = 0; s < p; s++)
            bsp_send(&machine, s, &own, sizeof own);
    bsp_sync(&machine);
    memcpy(&own, bspmsg_data(bsp_getmsg(&machine, 0)), sizeof own);
    return own;
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
    bsp_send(&machine, 0, notes, (int)sizeof notes);
    bsp_sync(&machine);
    if (me == 0 && repetitions > 0) {
        for (int s = 0; s < p; s++)
            memcpy(all + (size_t)s * MOST, bspmsg_data(bsp_findmsg(&machine, s, 0)), sizeof notes);
        tell(names[pattern], bytes, all, repetitions, 1);
    }
    return repetitions > 0;
}

/* Batches; those that expect nothing go on at once. */
static void empty_supersteps(void)
{
    enum { ITERATIONS = 4096 };
    for (int batch = 0; batch < 12; batch++) {
        bsp_sync(&machine);
        double begin = now();
        for (int k = 0; k < ITERATIONS; k++)
            bsp_oblsync(&machine, 0);
        double each = (now() - begin) / ITERATIONS;
        if (me == 0 && batch >= 2)
            printf("empty oblivious %d %.2f\n", ITERATIONS, each);
    }
    bsp_sync(&machine);
}

int main(int argc, char **argv)
{
    bsplib_saveargs(&argc, &argv);
    arguments(argc, argv);
    bsplib_init(BSPLIB_STDPARAMS, &machine);
    p = bsp_nprocs(&machine);
    me = bsp_pid(&machine);
    size_t size = room(argc, argv);
    if (size == 0)
        bsp_abort(&machine, "a wrong plan\n");
    source = malloc(size);
    all = calloc((size_t)p * MOST, sizeof *all);
    if (!source || !all)
        bsp_abort(&machine, "not enough memory for %zu bytes\n", size);
    memset(source, 1, size);
    settle();
    empty_supersteps();
    for (int i = 4; i < argc && p > 1; i++) {
        size_t bytes;
        int pattern = entry(argv[i], &bytes);
        if (!sample(pattern, bytes)) /* the time is up */
            break;
    }
    if (me == 0 && clocks_apart)
        printf("clocks apart\n");
    bsplib_done();
    return 0;
}
