/*
 * The latency of memory: a chase of pointers along one random cycle. See analyzer.h.
 *
 *     memory SEED SECONDS large|small:STRIDE:BYTES...
 *     memory SEED addresses STRIDE BYTES
 *
 * BYTES is the working set: BYTES / 64 nodes, each in a line of its own; STRIDE is the distance of neighbours in memory,
 * so that a chase with a larger stride uses the same number of lines in more pages. With `large` the memory is in huge
 * pages if the system has them, with `small` in ordinary ones. VALUE is the time of an access. The second form prints the
 * offsets of one way around the cycle, 4 bytes each, and measures nothing.
 */
#include "analyzer.h"

/* Steps along the cycle, a multiple of 16. */
static void **chase(void **at, size_t steps)
{
#define STEP at = (void **)*at;
    for (size_t k = 0; k < steps; k += 16) {
        STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
    }
    OPAQUE_I(at);
    return at;
}

static size_t limited(size_t value, size_t low, size_t high)
{
    return value < low ? low : value > high ? high : value;
}

static void measured(const char *pages, size_t stride, size_t bytes)
{
    /* The first lap fills the caches. Far beyond them a part of a lap meets no line twice. */
    const size_t most_warm = 400000, least = 65536, most = 100000;
    size_t nodes = bytes / LINE;
    struct area area;
    if (nodes < 2)
        return;
    if (!area_of(&area, nodes * stride, pages[0] == 'l')) {
        printf("missing no memory for a working set of %zu bytes at a stride of %zu bytes\n", bytes, stride);
        return;
    }
    void **at = cycle(area.base, nodes, stride);
    at = chase(at, limited(nodes, 4096, most_warm));
    double best = 1e30;
    struct meter kept = { 0, 0, 0, 0 };
    size_t steps = limited(nodes, least, most) / 16 * 16;
    for (int attempt = 0; attempt < 3; attempt++) {
        struct meter m = begun();
        at = chase(at, steps);
        ended(&m);
        /* Without the time of other programs, and without the price of the thread's own clock. */
        double value = (m.wall < m.cpu ? m.wall : m.cpu) * 1e9 / (double)steps;
        if (value < best) {
            best = value;
            kept = m;
        }
    }
    if (pages[0] == 'l' && bytes >= (size_t)8 << 20) {
        long found = huge_kilobytes(&area);
        if (found >= 0 && (size_t)found * 1024 < nodes * stride / 2)
            huge_refused = 1;
    }
    tell("latency", pages, stride, (double)bytes, 1, best, &kept);
    area_end(&area);
}

static int addresses(size_t stride, size_t bytes)
{
    struct area area;
    size_t nodes = bytes / LINE;
    if (nodes < 2 || !area_of(&area, nodes * stride, 0))
        return 1;
    void **at = cycle(area.base, nodes, stride);
    for (size_t k = 0; k < nodes; k++) {
        uint32_t offset = (uint32_t)((char *)at - area.base);
        fwrite(&offset, sizeof offset, 1, stdout);
        at = (void **)*at;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (!arguments(argc, argv))
        return 2;
    if (argc == 5 && strcmp(argv[2], "addresses") == 0) {
        static char buffer[1 << 16];
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        return addresses(strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    }
    for (int k = 3; k < argc && now() < deadline; k++) {
        char pages[8];
        size_t stride, bytes;
        if (sscanf(argv[k], "%7[a-z]:%zu:%zu", pages, &stride, &bytes) != 3 || stride < LINE || stride % sizeof(void *))
            return 2;
        measured(pages, stride, bytes);
    }
    if (huge_refused)
        printf("missing huge pages: the latency of large working sets has the time of address translation in it\n");
    printf("end\n");
    return 0;
}
