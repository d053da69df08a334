/* Thread-local storage that C accesses by name; stable Rust cannot define it. */
#include "cll.h"

#define CLL_OUTSIDE 0xFFFF0001u /* no region around, open, no forks */

__thread struct cll_thread cll_self CLL_TLS __attribute__((__aligned__(64))) = { 0, 0, 0, 0, CLL_OUTSIDE, 0, 0, 0, 1, 0, 0, 0 };

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

/* The kernel's area of the thread for restartable sequences (rseq), which glibc registers since 2.35. It
 * contains a sequence that covers no code: the kernel removes it when it resumes a thread that was switched
 * out. */
#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
extern const long __rseq_offset __attribute__((__weak__));
extern const unsigned __rseq_size __attribute__((__weak__));

#ifdef __x86_64__
#define CLL_SIGNATURE ".byte 0x0f, 0xb9, 0x3d\n\t.long 0x53053053\n"
#define CLL_TRAP "ud2"
#else
#define CLL_SIGNATURE ".inst 0xd428bc00\n"
#define CLL_TRAP "brk #0"
#endif

/* Where the kernel would continue if the sequence had any code. It looks for the signature that glibc has
 * registered, which is before this place. */
__asm__(".pushsection .text.cll_nowhere,\"ax\",%progbits\n\t" CLL_SIGNATURE
        "cll_nowhere:\n\t" CLL_TRAP "\n\t.popsection");
extern const char cll_nowhere[] __attribute__((__visibility__("hidden")));

static const struct {
    unsigned version, flags;
    const char *begin;
    cll_u64 length;
    const char *otherwise;
} cll_no_code __attribute__((__aligned__(32))) = { 0, 0, cll_nowhere, 0, cll_nowhere };

static const char *cll_thread_pointer(void)
{
    const char *pointer;
#ifdef __x86_64__
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
#else
    __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
    return pointer;
}

/* The word of the calling thread, and its value; 0 if the kernel has none. */
const cll_u64 *cll_kernel_word(cll_u64 *calm);
const cll_u64 *cll_kernel_word(cll_u64 *calm)
{
    const char *area;
    if (!&__rseq_offset || !&__rseq_size || __rseq_size == 0)
        return 0;
    area = cll_thread_pointer() + __rseq_offset;
    if (((const volatile int *)area)[1] < 0) /* its processor: not registered */
        return 0;
    *calm = (cll_address)&cll_no_code;
    return (const cll_u64 *)(area + 8);
}
#else
const cll_u64 *cll_kernel_word(cll_u64 *calm);
const cll_u64 *cll_kernel_word(cll_u64 *calm)
{
    (void)calm;
    return 0;
}
#endif
