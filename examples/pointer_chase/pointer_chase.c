/*
 * pointer_chase.c: walks once round a ring of N nodes that are linked in random
 * order, one node to a cache line.
 *
 * Shows: intervals of validity in their purest form. The formula is a straight
 * line, walk[1] is the time of one dependent load, and it jumps where the ring
 * (64*N bytes) leaves a cache.
 *
 *   cll model examples/pointer_chase/pointer_chase.c --predict N=700000
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE = 2 << 20, LARGEST = 600000, VOLUME = 40000 };

struct node {
    struct node *next;
    char rest[LINE - sizeof(struct node *)];
};

/* One cycle through all n nodes (Sattolo's algorithm), seeded: the same ring each time. */
static void link_ring(struct node *ring, int n)
{
    uint64_t state = 1997;
    int i;
    for (i = 0; i < n; i++)
        ring[i].next = &ring[i];
    for (i = n - 1; i > 0; i--) {
        struct node *t = ring[i].next;
        int j;
        state = state * 6364136223846793005u + 1442695040888963407u;
        j = (int)((state >> 33) % (uint64_t)i);
        ring[i].next = ring[j].next;
        ring[j].next = t;
    }
}

static struct node *walk(struct node *p, int N)
{
    int i;
#pragma cll walk walk[0] + walk[1]*N
    for (i = 0; i < N; i++)
        p = p->next;
    __asm__ volatile("" : "+r"(p)); /* the last load is waited for inside the region */
#pragma cll end walk
    return p;
}

int main(void)
{
    size_t bytes = (sizeof(struct node) * LARGEST + HUGE - 1) / HUGE * HUGE;
    struct node *ring = aligned_alloc(HUGE, bytes);
    int N = 10000, r, right = 1;
    if (ring == NULL) {
        perror("pointer_chase");
        return 2;
    }
#ifdef MADV_HUGEPAGE
    madvise(ring, bytes, MADV_HUGEPAGE); /* so that the caches are seen and not the page tables */
#endif
    link_ring(ring, LARGEST); /* every page is touched before anything is timed */

#pragma cll for (N = 64; N < LARGEST; N += N / 8)
    link_ring(ring, N);
    right &= walk(ring, N) == ring; /* once round ends where it began */
    for (r = 0; r < 2 + VOLUME / N; r++)
        right &= walk(ring, N) == ring;
#pragma cll end for

    free(ring);
    puts(right ? "pointer_chase: every walk came back" : "pointer_chase: WRONG");
    return right ? 0 : 1;
}
