/* What stable Rust cannot define: storage of each thread that C reaches by name. */
#include "cll.h"

#define CLL_OUTSIDE 0xFFFF0001u /* no region around, open, no fork */

__thread struct cll_thread cll_self CLL_TLS = { 0, 0, 0, 0, CLL_OUTSIDE, 0, 0, 0 };

unsigned cll_flags = CLL_SLOW;

struct cll_thread *cll_this_thread(void);
struct cll_thread *cll_this_thread(void)
{
    return &cll_self;
}

extern int omp_get_max_threads(void) __attribute__((__weak__));

unsigned cll_openmp_threads(void);
unsigned cll_openmp_threads(void)
{
    return omp_get_max_threads ? (unsigned)omp_get_max_threads() : 1u;
}
