/*
 * objects BATCHES: machine objects. Two processors, each on a core of its own, send each other a message
 * and wait for it alone; the reference copies it by memcpy into memory that both have, and sets a
 * flag. In both the sender writes its source anew and the receiver reads what it got. And with any
 * number of processors: what it costs to enter a part and to leave it.
 */
#define FIGURES_OF_OBJECTS
#include "figures.h"

static const double BATCH = 2e6; /* nanoseconds */

static int me, other;
static size_t size;
static uint64_t rounds; /* of the reference's flags */
static unsigned char *source;
static volatile uint64_t sink;

static inline void meet(void)
{
    atomic_store_explicit(&shared->flags[me].round, ++rounds, memory_order_release);
    while (atomic_load_explicit(&shared->flags[other].round, memory_order_acquire) < rounds)
        __builtin_ia32_pause();
}

static __attribute__((noinline)) void write_all(unsigned char *to, uint64_t value)
{
    for (size_t i = 0; i < size; i += 8)
        memcpy(to + i, &value, 8);
    __asm__ volatile("" : : "r"(to) : "memory");
}

static __attribute__((noinline)) void read_all(const unsigned char *from)
{
    uint64_t sum = 0, word;
    for (size_t i = 0; i < size; i += 8) {
        memcpy(&word, from + i, 8);
        sum += word;
    }
    sink = sum;
}

static void reference_message(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        memcpy(shared->in[other][i % 2], source, size);
        meet();
        read_all(shared->in[me][i % 2]);
    }
}

static void our_message(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        bsp_hpsend(&machine, other, source, (int)size);
        bsp_oblsync(&machine, 1);
        read_all(bspmsg_data(bsp_getmsg(&machine, 0)));
    }
}

static void reference_sync(int iterations)
{
    for (int i = 0; i < iterations; i++)
        meet();
}

static void our_sync(int iterations)
{
    for (int i = 0; i < iterations; i++)
        bsp_sync(&machine);
}

static void part(int iterations)
{
    int p = bsp_nprocs(&machine), bounds[2] = { p / 2, p };
    t_bsp half;
    for (int i = 0; i < iterations; i++) {
        bsp_partition(&machine, &half, 2, bounds);
        bsp_done(&half);
    }
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = { 8, 64, 1 << 10, 32 << 10, 2 << 20 };
    map_shared();
    bsplib_init(BSPLIB_STDPARAMS, &machine);
    batches = argc > 1 ? atoi(argv[1]) : 31;
    me = bsp_pid(&machine);
    other = 1 - me;
    source = aligned_alloc(4096, LARGEST);
    if (!source)
        bsp_abort(&machine, "no memory\n");
    if (bsp_nprocs(&machine) == 2) {
        pin(me);
        compare("objects_sync", 2, BATCH, reference_sync, our_sync);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            size = sizes[i];
            compare("oblsync", (long)size, BATCH, reference_message, our_message);
        }
    }
    /* While the others sleep: with more processors than cores they would measure each other. */
    if (me == 0)
        usleep(20000);
    for (int batch = -WARM_UP; batch < batches && me == 0; batch++) {
        double time = time_of(part, 2000);
        if (batch >= 0)
            printf("part %d %d 0 %.2f\n", bsp_nprocs(&machine), batch, time);
    }
    bsplib_done();
    return 0;
}
