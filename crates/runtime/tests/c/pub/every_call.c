/* Every call of pub.h, as a macro and by its address. C and C++. */
#include <pub.h>
#include <string.h>

static void add(int *result, int *left, int *right, int *nbytes)
{
    (void)nbytes;
    *result = *left + *right;
}

static void as_macros(t_bsp *bsp)
{
    int x[64], y = 0, p = bsp_nprocs(bsp);
    t_bsp part;
    t_bspmsg *message;
    memset(x, 0, sizeof x);
    bsp_partition(bsp, &part, 1, &p);
    bsp_done(&part);
    bsp_send(bsp, bsp_pid(bsp), &y, (int)sizeof y);
    bsp_hpsend(bsp, bsp_pid(bsp), &y, (int)sizeof y);
    bsp_oblsync(bsp, 2);
    message = bsp_nmsgs(bsp) == 2 ? bsp_getmsg(bsp, 0) : bsp_findmsg(bsp, 0, 0);
    memcpy(&y, bspmsg_data(message), (size_t)bspmsg_size(message));
    y += bspmsg_src(message);
    bsp_push_reg(bsp, x, (int)sizeof x);
    bsp_sync(bsp);
    bsp_put(bsp, 0, &y, x, 0, 4);
    bsp_hpput(bsp, 0, &y, x, 4, 4);
    bsp_get(bsp, 0, x, 8, &y, 4);
    bsp_hpget(bsp, 0, x, 8, &p, 4);
    bsp_pop_reg(bsp, x);
    bsp_sync(bsp);
    bsp_bcast(bsp, 0, &y, &y, 4);
    bsp_gather(bsp, 0, &y, x, 4);
    bsp_scatter(bsp, 0, x, &y, 4);
    bsp_allgather(bsp, &y, x, 4);
    bsp_total_exchange(bsp, x, x, 4);
    bsp_reduce(bsp, add, &y, &y, 4);
    bsp_scan(bsp, add, &y, &y, 4);
    if (bsp_time(bsp) < 0 || bsp_time() < 0)
        bsp_abort(bsp, "%d\n", y);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    void (*saveargs)(int *, char ***) = bsplib_saveargs;
    void (*init)(const t_bsplib_params *, t_bsp *) = bsplib_init;
    void (*done)(void) = bsplib_done;
    int (*nprocs)(t_bsp *) = &bsp_nprocs, (*pid)(t_bsp *) = &bsp_pid;
    void (*sync)(t_bsp *) = &bsp_sync;
    t_bspmsg *(*getmsg)(t_bsp *, int) = &bsp_getmsg;
    saveargs(&argc, &argv);
    init(BSPLIB_STDPARAMS, &bsp);
    as_macros(&bsp);
    bsp_send(&bsp, pid(&bsp), &argc, (int)sizeof argc);
    sync(&bsp);
    if (nprocs(&bsp) < 1 || bspmsg_size(getmsg(&bsp, 0)) != (int)sizeof argc)
        return 1;
    done();
    return 0;
}
