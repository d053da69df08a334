/* A library for tests: every region takes the fast path, into one block. */
#include "cll.h"

unsigned cll_flags = CLL_FAST;
static cll_u64 watch = 1;
static char block[1 << 22];
__thread struct cll_thread cll_self CLL_TLS;

__attribute__((__constructor__(101))) static void begin(void)
{
    cll_self.next = (cll_address)block + 68;
    cll_self.end = (cll_address)(block + sizeof block);
    cll_self.soft = cll_self.end - 1024;
    cll_self.used = (cll_u32 *)(void *)block;
    cll_self.context = 1;
    cll_self.watch = &watch;
}

/* Whatever is not fast is wrong here. */
void cll_renew(void) { __builtin_trap(); }
void cll_register_unit(struct cll_unit *unit) { unit->base = 3; }
void cll_enter_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place)
{
    (void)frame, (void)unit, (void)place;
    __builtin_trap();
}
void cll_leave_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place,
                    const double *values, unsigned nvalues, unsigned flags, cll_u64 end)
{
    (void)frame, (void)unit, (void)place, (void)values, (void)nvalues, (void)flags, (void)end;
    __builtin_trap();
}
