/*
 * two BATCHES: two processors, each on a core of its own, exchange data. The reference copies it by memcpy
 * into memory that both have, and waits by flags. In both the sender writes its source anew and the
 * receiver reads what it got: otherwise the reference's data never leaves the writer's cache.
 */
#include "figures.h"

static const double BATCH = 2e6; /* nanoseconds */
enum { MANY = 1000 };

static int me, other;
static size_t size;
static uint64_t rounds; /* of the reference's barrier */
static unsigned char *source, *areas[2], *destination;
static volatile uint64_t sink;

/* Two flags, two pinned processors: no barrier is shorter. */
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

static void reference_sync(int iterations)
{
    for (int i = 0; i < iterations; i++)
        meet();
}

static void our_sync(int iterations)
{
    for (int i = 0; i < iterations; i++)
        bsp_sync();
}

static void reference_put(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        memcpy(shared->in[other][i % 2], source, size);
        meet();
        read_all(shared->in[me][i % 2]);
    }
}

static void our_put(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        bsp_put(other, source, areas[0], 0, (int)size);
        bsp_sync();
        read_all(areas[0]);
    }
}

/* A destination must not be read while an unbuffered put may come: two areas in turn. */
static void our_hpput(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        bsp_hpput(other, source, areas[i % 2], 0, (int)size);
        bsp_sync();
        read_all(areas[i % 2]);
    }
}

static void our_send(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(source, (uint64_t)i);
        bsp_send(other, NULL, source, (int)size);
        bsp_sync();
        bsp_move(destination, (int)size);
        read_all(destination);
    }
}

static void reference_get(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(shared->in[me][i % 2], (uint64_t)i);
        meet();
        memcpy(destination, shared->in[other][i % 2], size);
        read_all(destination);
    }
}

/* With one place for what is got, as the program has it: it is not rewritten before it was read. */
static void reference_get_in_place(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(shared->in[me][0], (uint64_t)i);
        meet();
        memcpy(destination, shared->in[other][0], size);
        meet();
        read_all(destination);
    }
}

static void our_get(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        write_all(areas[0], (uint64_t)i);
        bsp_get(other, areas[0], 0, destination, (int)size);
        bsp_sync();
        read_all(destination);
    }
}

static void reference_unread(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        memcpy(shared->in[other][i % 2], source, size);
        meet();
    }
}

static void our_unread(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        bsp_put(other, source, areas[0], 0, (int)size);
        bsp_sync();
    }
}

/* Words one by one, as far as the reference can do the same. */
static void reference_many(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        volatile uint64_t *to = (volatile uint64_t *)shared->in[other][i % 2];
        for (int k = 0; k < MANY; k++)
            to[k] = (uint64_t)(i + k);
        meet();
        read_all(shared->in[me][i % 2]);
    }
}

static void our_many_puts(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < MANY; k++) {
            uint64_t word = (uint64_t)(i + k);
            bsp_put(other, &word, areas[0], 8 * k, 8);
        }
        bsp_sync();
    }
}

static void our_many_sends(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        uint64_t word;
        for (int k = 0; k < MANY; k++) {
            word = (uint64_t)(i + k);
            bsp_send(other, NULL, &word, 8);
        }
        bsp_sync();
        for (int k = 0; k < MANY; k++)
            bsp_move(&word, 8);
    }
}

static unsigned char *new_area(void)
{
    unsigned char *area = malloc(LARGEST);
    if (area == NULL)
        bsp_abort("no memory\n");
    memset(area, 1, LARGEST);
    return area;
}

int main(int argc, char **argv)
{
    batches = argc > 1 ? atoi(argv[1]) : 31;
    map_shared();
    bsp_begin(2);
    me = bsp_pid();
    other = 1 - me;
    pin(me); /* not before: the library counts the cores that it may use */
    source = new_area();
    destination = new_area();
    for (int i = 0; i < 2; i++) {
        areas[i] = new_area();
        bsp_push_reg(areas[i], LARGEST);
        memset(shared->in[me][i], 1, LARGEST);
    }
    bsp_sync();

    compare("sync", 0, BATCH, reference_sync, our_sync);
    for (size = 8; size <= LARGEST; size *= 8) {
        double ns = size < 65536 ? BATCH : 4 * BATCH;
        compare("put", (long)size, ns, reference_put, our_put);
        compare("get", (long)size, ns, reference_get, our_get);
        compare("get_in_place", (long)size, ns, reference_get_in_place, our_get);
        compare("send", (long)size, ns, reference_put, our_send);
    }
    size = LARGEST;
    compare("hpput", (long)size, 8 * BATCH, reference_put, our_hpput);
    compare("unread", (long)size, 8 * BATCH, reference_unread, our_unread);
    size = 32768;
    compare("unread", (long)size, BATCH, reference_unread, our_unread);
    size = 8 * MANY;
    compare("many_puts", MANY, BATCH, reference_many, our_many_puts);
    compare("many_sends", MANY, BATCH, reference_many, our_many_sends);
    bsp_end();
    return 0;
}
