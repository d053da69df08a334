/*
 * sample_sort.c: sorts n numbers by a sample of them.
 *
 * Shows: a program whose communication depends on its data, and a parameter that trades one cost for
 * another. Each processor sorts its part and shows `oversampling` of its numbers to all; from these p-1
 * splitters are taken, and each part is sent to where it belongs. With more samples the parts come out
 * more alike, which shortens the last two supersteps, and the samples cost more.
 *
 *   cll cc -O2 examples/bsp/sample_sort.c -o sample_sort
 *   cll run -n 4 ./sample_sort 1000000 32
 *   cll model examples/bsp/sample_sort.c --vary n=20000:1280000:*2 --hold-out n=1280000 -- {n}
 *
 * Any number of processors.
 */
#include <bsp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel BSP procs = 1,2

/* n and the oversampling, on processor 0 until the others have got them. */
static int sizes[2] = { 100000, 16 };
static int right = 1;

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Numbers that look like chance, many of them small: their sum must not change. */
static int64_t fill(int *v, int count, int s)
{
    uint64_t state = 2003 + 77777 * (uint64_t)s;
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v[i] = (int)(state >> 33) >> (state >> 28 & 15);
        sum += v[i];
    }
    return sum;
}

/* The first place in v whose number is above the splitter. */
static int above(const int *v, int count, int splitter)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (v[middle] > splitter)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void merge(int *to, const int *a, int na, const int *b, int nb)
{
    while (na > 0 && nb > 0)
        if (*a <= *b) {
            *to++ = *a++;
            na--;
        } else {
            *to++ = *b++;
            nb--;
        }
    memcpy(to, a, na * sizeof *a);
    memcpy(to + na, b, nb * sizeof *b);
}

/* Merges sorted runs, run k from ends[k] on, in pairs until one is left; v or spare has it. */
static int *merge_runs(int *v, int *spare, int *ends, int runs)
{
    for (; runs > 1; runs = (runs + 1) / 2) {
        for (int k = 0; k < runs; k += 2) {
            int low = ends[k], middle = ends[k + 1], high = k + 1 < runs ? ends[k + 2] : middle;
            merge(spare + low, v + low, middle - low, v + middle, high - middle);
            ends[k / 2] = low;
            ends[k / 2 + 1] = high;
        }
        int *kept = v;
        v = spare;
        spare = kept;
    }
    return v;
}

/* What processor 0 has to know of each. */
struct account {
    int64_t before, after; /* sums */
    int count, first, last, is_sorted;
};

static int is_complete(const struct account *of, int p, int n)
{
    int64_t before = 0, after = 0, count = 0;
    int last = INT32_MIN, in_order = 1;
    for (int q = 0; q < p; q++) {
        before += of[q].before;
        after += of[q].after;
        count += of[q].count;
        in_order &= of[q].is_sorted && (of[q].count == 0 || of[q].first >= last);
        last = of[q].count > 0 ? of[q].last : last;
    }
    return in_order && before == after && count == n;
}

static void *new_array(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    if (array == NULL)
        bsp_abort("sample_sort: no memory for %lu numbers\n", (unsigned long)count);
    return array;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid();
    struct account *accounts = new_array(p, sizeof *accounts), mine = { 0 };
    bsp_push_reg(sizes, sizeof sizes);
    bsp_push_reg(accounts, p * (int)sizeof *accounts);
    bsp_sync();
    bsp_get(0, sizes, 0, sizes, sizeof sizes);
    bsp_sync();

    int n = sizes[0], samples = sizes[1];
    int count = (int)((long)n * (s + 1) / p - (long)n * s / p);
    int *v = new_array(count, sizeof *v), *sample = new_array((size_t)p * samples, sizeof *sample);
    mine.before = fill(v, count, s);
    bsp_push_reg(sample, p * samples * (int)sizeof *sample);
    bsp_sync();
    double begin = bsp_time();

#pragma cll sync sort sort[0] + sort[1]*(n/P)*log(n) + sort[2]*n*(P-1)/P
    /* Evenly out of the sorted part; of a part with nothing in it, large ones. */
    qsort(v, count, sizeof *v, compare);
    for (int k = 0; k < samples; k++) {
        int one = count > 0 ? v[(int)((long)count * (2 * k + 1) / (2 * samples))] : INT32_MAX;
        for (int q = 0; q < p; q++)
            bsp_put(q, &one, sample, (s * samples + k) * (int)sizeof one, sizeof one);
    }
    bsp_sync();
    qsort(sample, p * samples, sizeof *sample, compare);
    for (int q = 0, from = 0; q < p; q++) {
        int to = q == p - 1 ? count : above(v, count, sample[(q + 1) * samples - 1]);
        bsp_send(q, NULL, v + from, (to - from) * (int)sizeof *v);
        from = to;
    }
    bsp_pop_reg(sample);
    bsp_sync();

    int runs, bytes, *ends = new_array(p + 1, sizeof *ends);
    bsp_qsize(&runs, &bytes);
    count = bytes / (int)sizeof *v;
    int *received = new_array(count, sizeof *v), *spare = new_array(count, sizeof *v);
    for (int k = 0, at = 0; k < runs; k++) {
        int status;
        bsp_get_tag(&status, NULL);
        bsp_move(received + at, status);
        at += status / (int)sizeof *v;
        ends[k + 1] = at;
    }
    int *sorted = merge_runs(received, spare, ends, runs);
#pragma cll end sort
    double passed = bsp_time() - begin;

    mine.count = count;
    mine.is_sorted = 1;
    for (int i = 0; i < count; i++) {
        mine.after += sorted[i];
        mine.is_sorted &= i == 0 || sorted[i - 1] <= sorted[i];
    }
    mine.first = count > 0 ? sorted[0] : 0;
    mine.last = count > 0 ? sorted[count - 1] : 0;
    bsp_put(0, &mine, accounts, s * (int)sizeof mine, sizeof mine);
    bsp_sync();
    if (s == 0) {
        int largest = 0;
        for (int q = 0; q < p; q++)
            largest = accounts[q].count > largest ? accounts[q].count : largest;
        right = is_complete(accounts, p, n);
        printf("sample_sort: %d numbers, %d samples from each of %d processors: %.1f ms; the largest "
               "part is %.2f of the mean\n",
               n, samples, p, 1e3 * passed, n > 0 ? (double)largest * p / n : 1.0);
        puts(right ? "sample_sort: sorted" : "sample_sort: WRONG");
    }
    free(v);
    free(sample);
    free(received);
    free(spare);
    free(ends);
    bsp_end();
    free(accounts);
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (int i = 1; i < argc && i <= 2; i++)
        sizes[i - 1] = atoi(argv[i]);
    if (argc > 3 || sizes[0] < 0 || sizes[0] > 100000000 || sizes[1] < 1 || sizes[1] > 10000) {
        fputs("usage: sample_sort [NUMBERS [OVERSAMPLING]]\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
