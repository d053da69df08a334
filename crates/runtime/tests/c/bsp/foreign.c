/* A program with the declarations that another library's header had. */
#include <stdio.h>

void bsp_begin(int maxprocs);
void bsp_end(void);
int bsp_nprocs(void);
int bsp_pid(void);
void bsp_sync(void);
void bsp_push_reg(const void *ident, int size);
void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes);
void bsp_abort(const char *format, ...);

int main(int argc, char **argv)
{
    int x = -1, p, s;
    (void)argv;
    bsp_begin(bsp_nprocs());
    p = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(argc > 1 ? p : (s + 1) % p, &s, &x, 0, sizeof x);
    bsp_sync();
    if (x != (s + p - 1) % p)
        bsp_abort("%d has %d\n", s, x);
    bsp_end();
    printf("good on %d\n", p);
    return 0;
}
