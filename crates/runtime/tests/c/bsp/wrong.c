/* What WRONG says goes wrong, on the last processor unless all are to do it. */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *what)
{
    const char *wrong = getenv("WRONG");
    return wrong && !strcmp(wrong, what);
}

static void add(int *result, int *left, int *right, int *nbytes)
{
    if (*nbytes == sizeof *result)
        *result = *left + *right;
}

static int first; /* set on processor 0 alone */

static void spmd(void)
{
    int x = 1, size = -1, last;
    void *at;
    if (is("never") || (is("no begin") && !first))
        return;
    bsp_begin(is("none") ? 0 : bsp_nprocs());
    last = bsp_pid() == bsp_nprocs() - 1;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    if (is("begin twice"))
        bsp_begin(1);
    if (is("init late"))
        bsp_init(spmd, 0, NULL);
    if (last) {
        if (is("exit"))
            exit(0);
        if (is("return"))
            return;
        if (is("abort"))
            bsp_abort("%s %d", "gives up", 7);
        if (is("negative pid"))
            bsp_put(-3, &x, &x, 0, sizeof x);
        if (is("negative offset"))
            bsp_get(0, &x, -4, &x, sizeof x);
        if (is("negative size"))
            bsp_send(0, NULL, &x, -1);
        if (is("null source"))
            bsp_hpput(0, NULL, &x, 0, sizeof x);
        if (is("null destination"))
            bsp_hpget(0, &x, 0, NULL, sizeof x);
        if (is("null payload"))
            bsp_send(0, NULL, NULL, 4);
        if (is("null tag size"))
            bsp_set_tagsize(NULL);
        if (is("negative tag size"))
            bsp_set_tagsize(&size);
        if (is("null status"))
            bsp_get_tag(NULL, NULL);
        if (is("null pointers"))
            bsp_hpmove(NULL, &at);
        if (is("empty"))
            bsp_move(&x, sizeof x);
        if (is("parameters"))
            x = bsp_g() > 0;
        if (is("other call"))
            bsp_bcast(0, &x, &x, sizeof x);
        if (is("other root"))
            bsp_gather(1, &x, &x, sizeof x);
    } else {
        if (is("other call"))
            bsp_fold(add, &x, &x, sizeof x);
        if (is("other root"))
            bsp_scan(add, &x, &x, sizeof x);
    }
    if (is("root"))
        bsp_scatter(bsp_nprocs(), &x, &x, sizeof x);
    if (is("no operator"))
        bsp_fold((cll_bsp_operator)NULL, &x, &x, sizeof x);
    bsp_end();
    if (is("after"))
        bsp_sync();
}

int main(int argc, char **argv)
{
    if (is("before"))
        bsp_pid();
    if (is("no function"))
        bsp_init(NULL, argc, argv);
    if (is("abort early"))
        bsp_abort("too early\n");
    bsp_init(spmd, 0, NULL);
    if (is("init twice"))
        bsp_init(spmd, argc, argv);
    if (is("leave"))
        return 3;
    first = 1;
    spmd();
    return 0;
}
