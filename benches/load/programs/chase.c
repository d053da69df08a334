/*
 * chase.c: walks once round a ring of N nodes that are linked in random order, one node to a cache
 * line. Each load waits for the one before.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE = 2 << 20, VOLUME = 1600000, FEWEST = 12 };

struct node {
    struct node *next;
    char rest[LINE - sizeof(struct node *)];
};

/* One cycle through all n nodes (Sattolo's algorithm), the same one each time. */
static void link_ring(struct node *ring, long n)
{
    uint64_t state = 1997;
    long i;
    for (i = 0; i < n; i++)
        ring[i].next = &ring[i];
    for (i = n - 1; i > 0; i--) {
        struct node *t = ring[i].next;
        long j;
        state = state * 6364136223846793005u + 1442695040888963407u;
        j = (long)((state >> 33) % (uint64_t)i);
        ring[i].next = ring[j].next;
        ring[j].next = t;
    }
}

static struct node *walk(struct node *p, long n)
{
    long i;
    for (i = 0; i < n; i++)
        p = p->next;
    __asm__ volatile("" : "+r"(p)); /* the last load is waited for inside the region */
    return p;
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, r;
    size_t bytes = (sizeof(struct node) * (size_t)N + HUGE - 1) / HUGE * HUGE;
    struct node *ring, *end;
    int right;
    if (N < 2 || (ring = aligned_alloc(HUGE, bytes)) == NULL) {
        fputs("usage: chase N\n", stderr);
        return 2;
    }
#ifdef MADV_HUGEPAGE
    madvise(ring, bytes, MADV_HUGEPAGE); /* so that the caches are seen and not the page tables */
#endif
    link_ring(ring, N);
    right = walk(ring, N) == ring; /* once round ends where it began */
    for (r = 0; r < FEWEST + VOLUME / N; r++) {
#pragma cll walk walk[0] + walk[1]*N
        end = walk(ring, N);
#pragma cll end walk
        right &= end == ring;
    }
    free(ring);
    puts(right ? "came back" : "WRONG");
    return right ? 0 : 1;
}
