/*
 * The latency of memory: a chase of pointers along one random cycle. See analyzer.h.
 *
 *     memory SEED SECONDS large|small:STRIDE:BYTES...
 *     memory SEED SECONDS read|write-large|small:STRIDE:BYTES...
 *     memory SEED addresses STRIDE BYTES
 *
 * BYTES is the working set: BYTES / 64 nodes, each in a line of its own; STRIDE is the distance of neighbours in memory,
 * so that a chase with a larger stride uses the same number of lines in more pages. With `large` the memory is in huge
 * pages if the system has them, with `small` in ordinary ones. VALUE is the time of an access. With `read-` or `write-` the
 * same lines are read or written in the order of the cycle, but by a list of places: no access needs the one before, and as
 * many are under way at once as the core can have. The last form prints the offsets of one way around the cycle, 4 bytes
 * each, and measures nothing.
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

/* Places in lines of 64 bytes, read one after the other without need of each other. */
static uint64_t reads(const char *base, const uint32_t *place, size_t count)
{
    uint64_t a = 0, b = 0, c = 0, d = 0;
#define AT(k) (*(const uint64_t *)(base + (size_t)place[k] * LINE))
    for (size_t k = 0; k < count; k += 4) {
        a += AT(k);
        b += AT(k + 1);
        c += AT(k + 2);
        d += AT(k + 3);
    }
    return a + b + c + d;
}

/* The second word of a line: the first one has the cycle. */
static void writes(char *base, const uint32_t *place, size_t count)
{
    for (size_t k = 0; k < count; k += 4) {
        /* All places first: a store must not delay the loads of the list behind it. */
        uint64_t *a = (uint64_t *)(base + (size_t)place[k] * LINE), *b = (uint64_t *)(base + (size_t)place[k + 1] * LINE);
        uint64_t *c = (uint64_t *)(base + (size_t)place[k + 2] * LINE), *d = (uint64_t *)(base + (size_t)place[k + 3] * LINE);
        a[1] = k;
        b[1] = k;
        c[1] = k;
        d[1] = k;
    }
    MEMORY();
}

static void independent(const char *name, size_t stride, size_t bytes)
{
    const size_t most = 400000, least = 65536, longest = 100000;
    size_t nodes = bytes / LINE, count = limited(nodes, 4, most) / 4 * 4;
    struct area area;
    uint32_t *place = malloc(count * sizeof *place);
    int is_write = name[0] == 'w', is_large = strchr(name, '-')[1] == 'l';
    if (nodes < 4 || place == NULL || !area_of(&area, nodes * stride, is_large)) {
        printf("missing no memory for a working set of %zu bytes at a stride of %zu bytes\n", bytes, stride);
        free(place);
        return;
    }
    void **at = cycle(area.base, nodes, stride);
    for (size_t k = 0; k < count; k++) {
        place[k] = (uint32_t)((size_t)((char *)at - area.base) / LINE);
        at = (void **)*at;
    }
    double best = 1e30;
    struct meter kept = { 0, 0, 0, 0 };
    size_t steps = limited(count, least, longest), from = 0;
    for (int attempt = 0; attempt < 4; attempt++) {
        struct meter m = begun();
        size_t done = 0;
        while (done < steps) {
            size_t part = limited(steps - done, 4, count - from) / 4 * 4;
            if (is_write) {
                writes(area.base, place + from, part);
            } else {
                uint64_t sum = reads(area.base, place + from, part);
                OPAQUE_I(sum);
            }
            done += part;
            from = from + part < count ? from + part : 0;
        }
        ended(&m);
        double value = (m.wall < m.cpu ? m.wall : m.cpu) * 1e9 / (double)done;
        /* The first one fills the caches. */
        if (attempt > 0 && value < best) {
            best = value;
            kept = m;
        }
    }
    tell("independent", name, stride, (double)bytes, 1, best, &kept);
    area_end(&area);
    free(place);
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
        char pages[16];
        size_t stride, bytes;
        if (sscanf(argv[k], "%15[a-z-]:%zu:%zu", pages, &stride, &bytes) != 3 || stride < LINE || stride % LINE)
            return 2;
        if (strchr(pages, '-') != NULL)
            independent(pages, stride, bytes);
        else
            measured(pages, stride, bytes);
    }
    if (huge_refused)
        printf("missing huge pages: the latency of large working sets has the time of address translation in it\n");
    printf("end\n");
    return 0;
}
