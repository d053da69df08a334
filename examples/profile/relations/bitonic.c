/*
 * bitonic.c: places in order, by all processors together.
 *
 * Each processor has a sorted block. Where the network compares two numbers, two processors exchange their
 * blocks, and one keeps the lower half of both, the other the upper one. For any number of processors: the
 * network is the one whose merge compares places that lie a power of two apart.
 * Cost: about (log p)(log p + 1)/2 supersteps of 16 * count bytes each.
 */
#include "inside.h"

#include <bsp.h>
#include <stdlib.h>
#include <string.h>

/* A comparison: `low` gets what is less. */
struct comparison {
    int low, high;
};

struct network {
    struct comparison *all;
    long count, room;
};

static void compare(struct network *network, int low, int high)
{
    if (network->count == network->room) {
        network->room = 2 * network->room + 64;
        network->all = realloc(network->all, (size_t)network->room * sizeof *network->all);
        if (network->all == NULL)
            bsp_abort("relations: no memory for a network\n");
    }
    network->all[network->count++] = (struct comparison){ low, high };
}

static void merge(struct network *network, int first, int n, int up)
{
    if (n <= 1)
        return;
    int half = 1;
    while (2 * half < n)
        half *= 2;
    for (int i = first; i < first + n - half; i++)
        compare(network, up ? i : i + half, up ? i + half : i);
    merge(network, first, half, up);
    merge(network, first + half, n - half, up);
}

static void sort(struct network *network, int first, int n, int up)
{
    if (n <= 1)
        return;
    sort(network, first, n / 2, !up);
    sort(network, first + n / 2, n - n / 2, up);
    merge(network, first, n, up);
}

/* Keeps the lower or the upper half of two sorted blocks. */
static void keep(struct place *block, const struct place *other, int count, int lower,
                 struct place *room)
{
    int a = lower ? 0 : count - 1, b = a, step = lower ? 1 : -1;
    for (int k = 0; k < count; k++) {
        int mine = place_order(&block[a], &other[b]);
        int take = lower ? mine <= 0 : mine >= 0;
        room[lower ? k : count - 1 - k] = take ? block[a] : other[b];
        a += take ? step : 0;
        b += take ? 0 : step;
    }
    memcpy(block, room, (size_t)count * sizeof *block);
}

static void exchange(struct place *block, int count, int partner, int lower, struct place *room)
{
    int bytes = count * (int)sizeof *block;
    if (partner >= 0)
        bsp_send(partner, NULL, block, bytes);
    bsp_sync();
    if (partner >= 0) {
        void *other;
        inside_message(&other);
        keep(block, other, count, lower, room);
    }
}

void bitonic_sort(struct place *block, int count)
{
    int p = bsp_nprocs(), s = bsp_pid();
    struct network network = { NULL, 0, 0 };
    int *level = inside_new(p, sizeof *level), levels = 0;
    struct place *room = inside_new(count, sizeof *room);
    qsort(block, (size_t)count, sizeof *block, place_order);
    sort(&network, 0, p, 1);
    /* When each comparison can take place: as soon as both have done what comes before. */
    int *when = inside_new(network.count, sizeof *when);
    for (long k = 0; k < network.count; k++) {
        int a = network.all[k].low, b = network.all[k].high;
        when[k] = level[a] > level[b] ? level[a] : level[b];
        level[a] = level[b] = when[k] + 1;
        levels = when[k] + 1 > levels ? when[k] + 1 : levels;
    }
    int *partner = inside_new(levels, sizeof *partner), *lower = inside_new(levels, sizeof *lower);
    for (int k = 0; k < levels; k++)
        partner[k] = -1;
    for (long k = 0; k < network.count; k++) {
        int a = network.all[k].low, b = network.all[k].high;
        if (a == s || b == s) {
            partner[when[k]] = a == s ? b : a;
            lower[when[k]] = a == s;
        }
    }
    for (int k = 0; k < levels; k++)
        exchange(block, count, partner[k], lower[k], room);
    free(network.all);
    free(level);
    free(when);
    free(room);
    free(partner);
    free(lower);
}
