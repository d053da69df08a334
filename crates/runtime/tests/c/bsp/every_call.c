/* Every call of bsp.h, as a macro and by its address; each result is checked. C and C++. */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) \
            bsp_abort("line %d: %s\n", __LINE__, #condition); \
    } while (0)

#define SIZE(bytes) ((bsp_size_t)(bytes))
#define NONE ((bsp_size_t)-1)
#define MOST 8

static bsp_nprocs_t wanted;

static void add(int *result, const int *left, const int *right, bsp_size_t *nbytes)
{
    bsp_size_t i;
    CHECK(result != left && result != right);
    for (i = 0; i < *nbytes / SIZE(sizeof(int)); i++)
        result[i] = left[i] + right[i];
}

/* Not commutative: strings that are put together. */
static void join(void *result, void *left, void *right, bsp_size_t *nbytes)
{
    char *to = (char *)result;
    const char *first = (const char *)left, *second = (const char *)right;
    CHECK(*nbytes == MOST + 1);
    strcpy(to, first);
    strcat(to, second);
}

static void drma(int p, int s)
{
    int x[4] = { s, 10 + s, 20 + s, 30 + s }, got[2] = { -1, -1 };
    const bsp_pid_t next = (bsp_pid_t)((s + 1) % p);
    const bsp_size_t word = SIZE(sizeof(int));
    bsp_push_reg(x, SIZE(sizeof x));
    bsp_sync();
    bsp_put(next, &x[3], x, 0, word);
    bsp_get(next, x, word, &got[0], word);
    bsp_hpput(next, &x[2], x, 3 * word, 0);
    bsp_sync();
    CHECK(x[0] == 30 + (s + p - 1) % p && got[0] == 10 + (s + 1) % p);
    bsp_hpput(next, &x[3], x, word, word);
    bsp_hpget(next, x, 2 * word, &got[1], word);
    bsp_sync();
    CHECK(x[1] == 30 + (s + p - 1) % p && got[1] == 20 + (s + 1) % p);
    bsp_direct_get(next, x, 2 * word, &got[0], word);
    CHECK(got[0] == 20 + (s + 1) % p);
    bsp_pop_reg(x);
    bsp_pushregister(got, SIZE(sizeof got));
    bsp_popregister(got);
    bsp_sync();
}

static void messages(int p, int s)
{
    bsp_size_t tag = SIZE(sizeof(int)), status, total;
    bsp_nprocs_t count;
    void *tag_at, *at;
    int number = 5 + s, got = 0, its_tag = -1;
    bsp_set_tagsize(&tag);
    CHECK(tag == 0);
    bsp_sync();
    tag = 0;
    bsp_set_tag_size(&tag);
    CHECK(tag == SIZE(sizeof(int)));
    bsp_send((bsp_pid_t)((s + 1) % p), &s, &number, SIZE(sizeof number));
    bsp_hpsend((bsp_pid_t)((s + 1) % p), &s, NULL, 0);
    bsp_sync();
    bsp_qsize(&count, &total);
    CHECK(count == 2 && total == SIZE(sizeof number));
    bsp_qsize(NULL, NULL);
    bsp_get_tag(&status, &its_tag);
    CHECK(status == SIZE(sizeof number) && its_tag == (s + p - 1) % p);
    bsp_move(&got, SIZE(sizeof got));
    CHECK(got == 5 + its_tag);
    status = bsp_hpmove(&tag_at, &at);
    CHECK(status == 0 && *(int *)tag_at == its_tag);
    CHECK(bsp_hpmove(&tag_at, &at) == NONE);
    bsp_get_tag(&status, NULL);
    CHECK(status == NONE);
}

static void collectives(int p, int s)
{
    const bsp_size_t word = SIZE(sizeof(int));
    int x = s + 1, sum, i, all[MOST];
    char own[MOST + 1] = { 0 }, joined[MOST + 1];
    bsp_size_t total;
    bsp_nprocs_t count;
    /* A message that is sent before such a call can be read after it. */
    bsp_send((bsp_pid_t)((s + 1) % p), NULL, &s, word);
    bsp_fold(add, &x, &sum, word);
    CHECK(sum == p * (p + 1) / 2);
    bsp_qsize(&count, &total);
    CHECK(count == 1 && total == word);
    bsp_move(&i, word);
    CHECK(i == (s + p - 1) % p);
    bsp_scan(add, &x, &x, word);
    CHECK(x == (s + 1) * (s + 2) / 2);
    own[0] = (char)('a' + s);
    bsp_fold(join, own, joined, SIZE(sizeof own));
    CHECK((int)strlen(joined) == p && joined[0] == 'a' && joined[p - 1] == 'a' + p - 1);
    bsp_scan(join, own, joined, SIZE(sizeof own));
    CHECK((int)strlen(joined) == s + 1 && joined[s] == 'a' + s);
    x = s == p - 1 ? 99 : 0;
    bsp_bcast((bsp_pid_t)(p - 1), &x, &x, word);
    CHECK(x == 99);
    x = s * s;
    bsp_gather(0, &x, all, word);
    for (i = 0; s == 0 && i < p; i++) {
        CHECK(all[i] == i * i);
        all[i] = 7 * i;
    }
    bsp_scatter(0, all, &x, word);
    CHECK(x == 7 * s);
    CHECK(bsp_all(1) == 1 && bsp_all(s == 0) == (p == 1) && bsp_any(0) == 0 && bsp_any(s == 0) == 1);
    bsp_bcast(0, NULL, NULL, 0);
}

static void by_address(int s)
{
    void (*begin)(bsp_nprocs_t) = &bsp_begin;
    void (*put)(bsp_pid_t, const void *, void *, bsp_size_t, bsp_size_t) = &bsp_put;
    void (*sync)(void) = bsp_sync;
    bsp_pid_t (*pid)(void) = bsp_pid;
    bsp_nprocs_t (*nprocs)(void) = bsp_nprocs;
    double (*parameter[])(void) = { bsp_s, bsp_l, bsp_g, bsp_nhalf, bsp_time };
    void (*stop)(const char *, ...) = bsp_abort;
    void (*stop_va)(const char *, va_list) = s < 0 ? &bsp_vabort : &bsp_abort_va;
    void (*direct_get)(bsp_pid_t, const void *, bsp_size_t, void *, bsp_size_t) = &bsp_direct_get;
    int x = -1;
    CHECK(begin && stop && stop_va && direct_get && parameter[0] && parameter[4]() >= 0);
    CHECK((int)pid() == s && nprocs() == bsp_nprocs());
    bsp_push_reg(&x, SIZE(sizeof x));
    sync();
    put(pid(), &s, &x, 0, SIZE(sizeof s));
    sync();
    CHECK(x == s);
    bsp_pop_reg(&x);
}

static void spmd(void)
{
    double began;
    int p, s;
    bsp_begin(wanted);
    p = (int)bsp_nprocs();
    s = (int)bsp_pid();
    began = bsp_time();
    CHECK(began >= 0 && p <= MOST);
    drma(p, s);
    messages(p, s);
    collectives(p, s);
    by_address(s);
    CHECK(bsp_time() >= began);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = bsp_nprocs();
    spmd();
    printf("good on %d\n", (int)bsp_nprocs());
    return 0;
}
