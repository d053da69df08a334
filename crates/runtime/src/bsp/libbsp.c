/* libbsp.a: the functions of bsp.h under their own names, in the types of 1998, for programs that
 * were compiled with the header of another BSPlib. The places of calls are not known then. */
#define CLL_BSP_PLAIN
#include "bsp.h"

void bsp_init(void (*spmd)(void), int argc, char **argv) { cll_bsp_init(spmd, argc, argv, NULL, 0); }
void bsp_begin(int maxprocs) { cll_bsp_begin(maxprocs, NULL, 0); }
void bsp_end(void) { cll_bsp_end(NULL, 0); }
void bsp_abort_va(const char *format, va_list arguments) { cll_bsp_abort_va(format, arguments); }
void bsp_vabort(const char *format, va_list arguments) { cll_bsp_abort_va(format, arguments); }
void bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cll_bsp_abort_va(format, arguments);
}

int bsp_nprocs(void) { return cll_bsp_nprocs(); }
int bsp_pid(void) { return cll_bsp_pid(NULL, 0); }
double bsp_time(void) { return cll_bsp_time(NULL, 0); }
void bsp_sync(void) { cll_bsp_sync(NULL, 0); }

void bsp_push_reg(const void *address, int nbytes) { cll_bsp_push_reg(address, nbytes, NULL, 0); }
void bsp_pushregister(const void *address, int nbytes) { cll_bsp_push_reg(address, nbytes, NULL, 0); }
void bsp_pop_reg(const void *address) { cll_bsp_pop_reg(address, NULL, 0); }
void bsp_popregister(const void *address) { cll_bsp_pop_reg(address, NULL, 0); }
void bsp_put(int pid, const void *source, void *destination, int offset, int nbytes)
{
    cll_bsp_put(pid, source, destination, offset, nbytes, NULL, 0);
}
void bsp_get(int pid, const void *source, int offset, void *destination, int nbytes)
{
    cll_bsp_get(pid, source, offset, destination, nbytes, NULL, 0);
}
void bsp_hpput(int pid, const void *source, void *destination, int offset, int nbytes)
{
    cll_bsp_hpput(pid, source, destination, offset, nbytes, NULL, 0);
}
void bsp_hpget(int pid, const void *source, int offset, void *destination, int nbytes)
{
    cll_bsp_hpget(pid, source, offset, destination, nbytes, NULL, 0);
}
void bsp_direct_get(int pid, const void *source, int offset, void *destination, int nbytes)
{
    cll_bsp_direct_get(pid, source, offset, destination, nbytes, NULL, 0);
}

void bsp_set_tagsize(int *nbytes) { cll_bsp_set_tagsize(nbytes, NULL, 0); }
void bsp_set_tag_size(int *nbytes) { cll_bsp_set_tagsize(nbytes, NULL, 0); }
void bsp_send(int pid, const void *tag, const void *payload, int nbytes)
{
    cll_bsp_send(pid, tag, payload, nbytes, NULL, 0);
}
void bsp_hpsend(int pid, const void *tag, const void *payload, int nbytes)
{
    cll_bsp_hpsend(pid, tag, payload, nbytes, NULL, 0);
}
void bsp_qsize(int *nmessages, int *nbytes) { cll_bsp_qsize(nmessages, nbytes, NULL, 0); }
void bsp_get_tag(int *status, void *tag) { cll_bsp_get_tag(status, tag, NULL, 0); }
void bsp_move(void *payload, int nbytes) { cll_bsp_move(payload, nbytes, NULL, 0); }
int bsp_hpmove(void **tag, void **payload) { return cll_bsp_hpmove(tag, payload, NULL, 0); }

void bsp_bcast(int root, const void *source, void *destination, int nbytes)
{
    cll_bsp_bcast(root, source, destination, nbytes, NULL, 0);
}
void bsp_gather(int root, const void *source, void *destination, int nbytes)
{
    cll_bsp_gather(root, source, destination, nbytes, NULL, 0);
}
void bsp_scatter(int root, const void *source, void *destination, int nbytes)
{
    cll_bsp_scatter(root, source, destination, nbytes, NULL, 0);
}
void bsp_fold(cll_bsp_operator op, const void *source, void *destination, int nbytes)
{
    cll_bsp_fold(op, source, destination, nbytes, NULL, 0);
}
void bsp_scan(cll_bsp_operator op, const void *source, void *destination, int nbytes)
{
    cll_bsp_scan(op, source, destination, nbytes, NULL, 0);
}
int bsp_all(int condition) { return cll_bsp_all(condition, NULL, 0); }
int bsp_any(int condition) { return cll_bsp_any(condition, NULL, 0); }
double bsp_s(void) { return cll_bsp_s(NULL, 0); }
double bsp_l(void) { return cll_bsp_l(NULL, 0); }
double bsp_g(void) { return cll_bsp_g(NULL, 0); }
double bsp_nhalf(void) { return cll_bsp_nhalf(NULL, 0); }
