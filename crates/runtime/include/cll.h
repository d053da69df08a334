/*
 * cll.h: measuring the regions of a program.
 *
 * Most programs never include this file: `cll translate` writes a header for each source file,
 * which does. A program may use directly:
 *
 *     cll_off();              measures nothing from now on, in all threads
 *     cll_on();               measures again
 *     cll_is_on()             whether regions that begin now are measured
 *
 * Everything below "For generated code" may change with CLL_VERSION.
 *
 * C89 and later, C++98 and later, gcc and clang. Includes nothing. With CLL_OFF defined nothing is
 * measured and the library is not needed.
 *
 * A measured region costs two reads of the clock and the store of a record. Nothing is called
 * between the two reads, no lock is taken, no memory is allocated. Records are written to a block
 * of the thread, which is replaced before a region begins or after it has ended.
 */
#ifndef CLL_H
#define CLL_H

#ifndef __GNUC__
#error "cll.h needs gcc or clang, or a compiler that understands their extensions"
#endif

/* Version of the interface between generated code and the library. */
#define CLL_VERSION 2

#define CLL_INLINE static __inline__ __attribute__((__always_inline__, __unused__))

#ifdef CLL_OFF

CLL_INLINE void cll_on(void) {}
CLL_INLINE void cll_off(void) {}
CLL_INLINE int cll_is_on(void) { return 0; }

#else

#ifdef __cplusplus
extern "C" {
#endif

/* Regions that begin from now on are measured, in all threads. This is the initial state, unless
 * the environment has CLL_GATE=off. No effect if the library has given up (disk full, no
 * permission; it has reported that). */
void cll_on(void);

/* Regions that begin from now on are not measured and cost less than a nanosecond; regions that
 * have already begun are measured. */
void cll_off(void);

/* ------------------------- For generated code ------------------------- */

#if __SIZEOF_LONG__ == 8
typedef unsigned long cll_u64;
#else
__extension__ typedef unsigned long long cll_u64;
#endif
typedef unsigned int cll_u32;
typedef __UINTPTR_TYPE__ cll_address;

/* A place in the source where an experiment is measured. */
struct cll_place {
    const char *experiment;       /* its name */
    const char *formula;          /* normalised */
    const char *file;             /* where the region is */
    const char *function;         /* the function around it, "" if unknown */
    unsigned line;                /* where the region begins */
    unsigned end_line;            /* and ends */
    unsigned nvalues;             /* number of values saved with each sample */
    unsigned every;               /* K of every(K): each K-th passage is measured; 0, 1: all */
    const char *const *variables; /* names of the values, nvalues of them */
    unsigned ncounters;           /* number of names in its counters(NAME, ...) */
    const char *const *counters;  /* these names */
};

/* A translated source file. */
struct cll_unit {
    unsigned version;               /* CLL_VERSION */
    unsigned nplaces;
    const struct cll_place *places; /* copied when registered */
    const char *file;               /* the source, as given to the translator */
    const char *model;              /* "sequential", "OpenMP" */
    const char *compiler;           /* the command it is compiled with, "" if unknown */
    unsigned base;                  /* number of its first place; set when registered */
    unsigned automatic;             /* 1: it has experiments without a pragma, by --auto */
};

/* A passage through a region: its start, and the regions around it. `context` is 0 if it is not
 * being measured; otherwise
 *     bit  0      1
 *     bits 1-15   number of forks that the thread has passed
 *     bits 16-31  place of the region around, 0xFFFF if none
 *     bits 32-55  number of regions around, at most 2^24 - 1
 * so that `context` with the place in its low half is a word of the record. */
struct cll_frame {
    cll_u64 start;
    cll_u64 context;
};
#define CLL_FRAME_INIT { 0, 0 }
/* Begins an object that has a `frame` and values, none of which is read before it is written: with
 * the gate closed, setting them all to 0 would be most of the cost. */
#define CLL_FRESH(object) __asm__("" : "=m"(object)); (object).frame.context = 0;

/* The state of each thread. Regions touch one cache line of it. */
struct cll_thread {
    cll_address next;   /* where its next record goes; 0: it has no block */
    cll_address end;    /* where the block ends; 0: it has none */
    cll_address soft;   /* an outermost region that begins with `next` here takes a new block */
    cll_u32 *used;      /* the block's count of bytes in use, 68 bytes before its first record */
    cll_u64 context;    /* as in a frame, for the next region that begins */
    cll_address busy;   /* the frame whose record is being written; no other one is written meanwhile */
    cll_u64 *watch;     /* the word that is 0 once the thread was switched out; 0 until cll_renew */
    cll_u64 away;       /* how many of its open regions, from the outermost, were switched out */
    cll_u64 calm;       /* the value of that word otherwise; the word itself if the kernel has none */
    void *lane;         /* used by the library */
    cll_address reserve; /* used by the library: end - soft */
    cll_u64 switches;   /* used by the library: how often the thread was switched out so far */
};

/* Resolves without a call even in a shared object: the library's few bytes of thread storage are
 * always in the part that the loader allocates at start. */
#ifndef CLL_TLS
#define CLL_TLS __attribute__((__tls_model__("initial-exec")))
#endif
extern __thread struct cll_thread cll_self CLL_TLS;

#define CLL_IDLE 0u  /* nothing is measured */
#define CLL_FAST 1u  /* measured, with the processor's own counter */
#define CLL_SLOW 2u  /* measured by calls of the library; also before it has started, and if
                      * each place is counted (CLL_COUNTERS) */
extern unsigned cll_flags;

/* Flags of a record. */
#define CLL_LEFT 1u      /* the region was left by a jump or a return */
#define CLL_SWITCHED 2u  /* the thread was switched out meanwhile; set by the code below */
/* How `sync` made the processors begin together, from cll_mpi_sync. */
#define CLL_BARRIER 4u   /* after a barrier */
#define CLL_WINDOW 8u    /* at a time upon which all had agreed */
#define CLL_LATE 16u     /* this one began after that time */

/* Numbers the places of a unit and keeps copies of its tables. Must be called from a constructor
 * of priority 101, before any region of the unit is entered. */
void cll_register_unit(struct cll_unit *unit);

/* Requests a report of `n` experiments by name; 0: of all. */
void cll_report(const struct cll_unit *unit, const char *const *names, unsigned n);

/* The rare paths of the inline functions below. `end` 0: read the clock first. */
void cll_enter_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place);
void cll_leave_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place,
                    const double *values, unsigned nvalues, unsigned flags, cll_u64 end);
void cll_renew(void);

/* Whether regions that begin now are measured. Generated code calls this before it saves values;
 * so a region with the gate closed is a test and a jump. A closed gate is marked as the unusual
 * case, to keep the code that is not measured close together. */
CLL_INLINE int cll_is_on(void)
{
    return (int)__builtin_expect(cll_flags != CLL_IDLE, 0);
}

#define CLL_COMPILER_BARRIER() __asm__ __volatile__("" : : : "memory")

/* The processor's counter. Only if cll_flags is CLL_FAST. */
CLL_INLINE cll_u64 cll_ticks(void)
{
    cll_u64 ticks;
    CLL_COMPILER_BARRIER();
#if defined(__x86_64__) || defined(__i386__)
    ticks = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
#else
    ticks = 0; /* the library never sets CLL_FAST here */
#endif
    CLL_COMPILER_BARRIER();
    return ticks;
}

/* The word that the kernel clears when it resumes a thread that was switched out, and also for
 * some other reasons: the library then finds out the reason. */
CLL_INLINE int cll_was_away(const struct cll_thread *self)
{
    return *(const volatile cll_u64 *)self->watch == 0;
}

/* How regions begin and end: either as inlined functions in C; or, if the compiler supports `asm
 * inline`, with which a whole marker counts as one instruction, as that, together with functions
 * in C that are called on the rare paths. A compiler decides by the size of a function whether it
 * is inlined and what is known of its arguments; a marker of fifty instructions would change that.
 * Values that the program has in registers stay there in both cases: all calls are on a rare path.
 * CLL_NO_ASM disables this, for example for -masm=intel. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__OPTIMIZE__) && !defined(CLL_NO_ASM) \
    && !defined(__code_model_large__) \
    && (defined(__cplusplus) || defined(__STDC_VERSION__) || !defined(__clang__)) \
    && ((defined(__clang__) && __clang_major__ >= 11) || (!defined(__clang__) && __GNUC__ >= 9))
#define CLL_ASM 1
#endif

#ifdef CLL_ASM
#define CLL_MARKER static __attribute__((__noinline__, __cold__, __unused__))
#define CLL_ENTER_IN_C cll_enter_in_c
#else
#define CLL_MARKER CLL_INLINE
#define CLL_ENTER_IN_C cll_enter
#define CLL_LEAVE cll_leave
#endif

/* Begins a region: place number `place` of `unit`. The clock is read last. */
CLL_MARKER void CLL_ENTER_IN_C(struct cll_frame *frame, const struct cll_unit *unit, unsigned place)
{
    struct cll_thread *self;
    cll_u64 context, inner;
    if (__builtin_expect(cll_flags != CLL_FAST, 0)) {
        if (cll_flags != CLL_IDLE)
            cll_enter_slow(frame, unit, place);
        else
            frame->context = 0;
        return;
    }
    self = &cll_self;
    /* A frame that is still open was left by a jump that was not seen. */
    if (__builtin_expect(frame->context != 0, 0)
        && ((frame->context ^ self->context) & 0xFFFFu) == 0)
        self->context = frame->context;
    context = self->context;
    if (__builtin_expect(((context >> 32) == 0 && self->next >= self->soft)
                         || cll_was_away(self), 0)) {
        cll_renew();
        context = self->context;
    }
    inner = (context & ~(cll_u64)0xFFFF0000u) + ((cll_u64)1 << 32);
    inner -= (inner >> 24) & ((cll_u64)1 << 32);
    inner |= (cll_u64)((unit->base + place) & 0xFFFFu) << 16;
    self->context = inner;
    frame->context = context;
    frame->start = cll_ticks();
}

/* Ends a region that cll_enter began with the same frame, unit and place, and stores its record
 * with `nvalues` values. Has no effect on a frame that is not measured or has ended. The clock is
 * read first. */
CLL_INLINE void cll_leave(struct cll_frame *frame, const struct cll_unit *unit, unsigned place,
                          const double *values, unsigned nvalues, unsigned flags)
{
    struct cll_thread *self;
    cll_u64 end, context;
    cll_u64 *record;
    cll_address after;
    unsigned i;
    if (frame->context == 0)
        return;
    if (__builtin_expect(cll_flags != CLL_FAST, 0)) {
        cll_leave_slow(frame, unit, place, values, nvalues, flags, 0);
        return;
    }
    end = cll_ticks();
    self = &cll_self;
    context = frame->context;
    if (__builtin_expect(self->busy != 0 || ((context ^ self->context) & 0xFFFFu) != 0
                         || (context >> 32) < self->away || cll_was_away(self), 0)) {
        cll_leave_slow(frame, unit, place, values, nvalues, flags, end);
        return;
    }
    self->busy = (cll_address)frame;
    CLL_COMPILER_BARRIER();
    record = (cll_u64 *)self->next;
    after = self->next + 24u + 8u * (cll_address)nvalues;
    if (__builtin_expect(after > self->end, 0)) {
        self->busy = 0;
        cll_leave_slow(frame, unit, place, values, nvalues, flags, end);
        return;
    }
    record[0] = frame->start;
    record[1] = end;
    record[2] = (context & ~(cll_u64)0xFFFFu) | ((unit->base + place) & 0xFFFFu)
                | (cll_u64)flags << 56;
    for (i = 0; i < nvalues; i++)
        ((double *)(record + 3))[i] = values[i];
    /* A reader of the block after this process was killed finds complete records. */
    __atomic_store_n(self->used, (cll_u32)(after - (cll_address)self->used - 68u),
                     __ATOMIC_RELEASE);
    self->next = after;
    CLL_COMPILER_BARRIER();
    self->busy = 0;
    self->context = context;
    frame->context = 0;
}

#ifdef CLL_ASM
#define CLL_MEMBER(name) [name] "i"(__builtin_offsetof(struct cll_thread, name))
#define CLL_MEMBERS \
    CLL_MEMBER(next), CLL_MEMBER(end), CLL_MEMBER(soft), CLL_MEMBER(used), CLL_MEMBER(context), \
    CLL_MEMBER(busy), CLL_MEMBER(watch), CLL_MEMBER(away)

/* As in C above. Where it would have to call something it has changed nothing, and the called
   function begins again. */
CLL_INLINE void cll_enter(struct cll_frame *frame, const struct cll_unit *unit, unsigned place)
{
    __asm__ __volatile__ __inline__ goto(
        "cmpl %[fast], %[flags]\n\t"
        "jne %l[slow]\n\t"
        "cmpq $0, 8(%[frame])\n\t"
        "jne %l[slow]\n\t"
        "cmpl $0, 4+%c[context](%[self])\n\t"
        "jne 1f\n\t"
        "movq %c[next](%[self]), %%rax\n\t"
        "cmpq %c[soft](%[self]), %%rax\n\t"
        "jae %l[slow]\n"
        /* A thread without a block has no such word; it has come no further than here. */
        "1:\tmovq %c[watch](%[self]), %%rax\n\t"
        "cmpq $0, (%%rax)\n\t"
        "je %l[slow]\n\t"
        "movq %c[context](%[self]), %%rcx\n\t"
        /* Bits 16-31 become the place; the number of regions in bit 32 and above grows by one. */
        "movl %[base], %%eax\n\t"
        "addl %[place], %%eax\n\t"
        "movq %%rcx, %%rdx\n\t"
        "rorq $16, %%rdx\n\t"
        "movw %%ax, %%dx\n\t"
        "addq $0x10000, %%rdx\n\t"
        "btq $40, %%rdx\n\t"
        "jc %l[slow]\n\t"
        "rolq $16, %%rdx\n\t"
        "movq %%rcx, 8(%[frame])\n\t"
        "movq %%rdx, %c[context](%[self])\n\t"
        "rdtsc\n\t"
        "shlq $32, %%rdx\n\t"
        "orq %%rdx, %%rax\n\t"
        "movq %%rax, (%[frame])"
        :
        : [frame] "r"(frame), [self] "r"(&cll_self), [flags] "m"(cll_flags), [base] "m"(unit->base),
          [place] "ri"(place), [fast] "i"(CLL_FAST),
          CLL_MEMBERS
        : "rax", "rcx", "rdx", "cc", "memory"
        : slow);
    return;
slow:
    cll_enter_in_c(frame, unit, place);
}

/* For uses in which cll_leave does not have to be inlined. */
CLL_MARKER void cll_leave_in_c(struct cll_frame *frame, const struct cll_unit *unit, unsigned place,
                               const double *values, unsigned nvalues, unsigned flags)
{
    cll_leave(frame, unit, place, values, nvalues, flags);
}

/* cll_leave for a constant number of values: a macro, so that the number is a constant even in a
 * function that is not optimised. A reader of the block after this process was killed finds
 * complete records: their number is stored last. */
#define CLL_LEAVE(frame_, unit_, place_, values_, nvalues_, flags_) \
    __extension__({ \
        __label__ cll_slow, cll_done; \
        struct cll_frame *const cll_at = (frame_); \
        const cll_u64 cll_was = cll_at->context; \
        if (cll_was == 0) \
            goto cll_done; \
        __asm__ __volatile__ __inline__ goto( \
            "cmpl %[fast], %[flags]\n\t" \
            "jne %l[cll_slow]\n\t" \
            "rdtsc\n\t" \
            "shlq $32, %%rdx\n\t" \
            "orq %%rdx, %%rax\n\t" \
            "cmpw %%cx, %c[context](%[self])\n\t" \
            "jne %l[cll_slow]\n\t" \
            "cmpq $0, %c[busy](%[self])\n\t" \
            "jne %l[cll_slow]\n\t" \
            "movq %%rcx, %%rdx\n\t" \
            "shrq $32, %%rdx\n\t" \
            "cmpq %c[away](%[self]), %%rdx\n\t" \
            "jb %l[cll_slow]\n\t" \
            "movq %c[watch](%[self]), %%rdx\n\t" \
            "cmpq $0, (%%rdx)\n\t" \
            "je %l[cll_slow]\n\t" \
            "movq %[frame], %c[busy](%[self])\n\t" \
            "movq %c[next](%[self]), %%rdx\n\t" \
            "leaq 24+8*%c[count](%%rdx), %%r8\n\t" \
            "cmpq %c[end](%[self]), %%r8\n\t" \
            "jbe 1f\n\t" \
            "movq $0, %c[busy](%[self])\n\t" \
            "jmp %l[cll_slow]\n" \
            "1:\tmovq (%[frame]), %%r9\n\t" \
            "movq %%r9, (%%rdx)\n\t" \
            "movq %%rax, 8(%%rdx)\n\t" \
            "movl %[base], %%eax\n\t" \
            "addl %[place], %%eax\n\t" \
            "movq %%rcx, %%r9\n\t" \
            "movw %%ax, %%r9w\n\t" \
            "movq %%r9, 16(%%rdx)\n\t" \
            "movb %b[left], 23(%%rdx)\n\t" \
            ".set .Lcll_value, 0\n\t" \
            ".rept %c[count]\n\t" \
            "movq .Lcll_value(%[values]), %%rax\n\t" \
            "movq %%rax, .Lcll_value+24(%%rdx)\n\t" \
            ".set .Lcll_value, .Lcll_value+8\n\t" \
            ".endr\n\t" \
            "movq %c[used](%[self]), %%r9\n\t" \
            "leal -68(%%r8d), %%eax\n\t" \
            "subl %%r9d, %%eax\n\t" \
            "movl %%eax, (%%r9)\n\t" \
            "movq %%r8, %c[next](%[self])\n\t" \
            "movq $0, %c[busy](%[self])\n\t" \
            "movq %%rcx, %c[context](%[self])\n\t" \
            "movq $0, 8(%[frame])" \
            : \
            : [frame] "r"(cll_at), [self] "r"(&cll_self), [flags] "m"(cll_flags), [base] "m"((unit_)->base), \
              [place] "ri"(place_), [fast] "i"(CLL_FAST), [values] "r"(values_), [count] "i"(nvalues_), \
              [left] "qi"((unsigned char)(flags_)), "c"(cll_was), \
              CLL_MEMBERS \
            : "rax", "rdx", "r8", "r9", "cc", "memory" \
            : cll_slow); \
        if (0) { \
        cll_slow: \
            cll_leave_in_c(cll_at, unit_, place_, values_, nvalues_, flags_); \
        } \
    cll_done:; \
    })
#endif /* CLL_ASM */

/* The same for a place with counters(NAME, ...), which is always measured by calls: the counters
 * are read before the clock at the beginning, and after it at the end. */
CLL_INLINE void cll_enter_counted(struct cll_frame *frame, const struct cll_unit *unit,
                                  unsigned place)
{
    if (cll_flags != CLL_IDLE)
        cll_enter_slow(frame, unit, place);
    else
        frame->context = 0;
}

CLL_INLINE void cll_leave_counted(struct cll_frame *frame, const struct cll_unit *unit,
                                  unsigned place, const double *values, unsigned nvalues,
                                  unsigned flags)
{
    if (frame->context != 0)
        cll_leave_slow(frame, unit, place, values, nvalues, flags, 0);
}

/* Whether this passage of a place with every(K) must be measured: the first, then each K-th.
 * `count` is the place's counter in this thread, initially 0. */
CLL_INLINE int cll_due(unsigned *count, unsigned every)
{
    if (*count == 0) {
        *count = every - 1;
        return 1;
    }
    --*count;
    return 0;
}

/* `cll for`: first all values are pushed, then they are returned in the order of CLL_ORDER. A
 * value is any object; all values of a loop have the same size.
 *
 *     struct cll_loop loop = CLL_LOOP_INIT;
 *     cll_loop_begin(&loop, 0, 0);
 *     for (N = 1; N < 9 && cll_loop_push(&loop, &N, sizeof N); N++) {}
 *     again: if (!cll_loop_next(&loop, &N)) goto done;
 *     ...
 *     goto again;
 *     done: ;
 */
struct cll_loop {
    unsigned char *values;
    cll_address count;
    cll_address at;
    unsigned size;
    unsigned number;
    unsigned ordered;
};
#define CLL_LOOP_INIT { 0, 0, 0, 0, 0, 0 }

/* Begins loop `number` of the program, even if it was left before its end. `ordered` 1: in the
 * order of pushing, whatever CLL_ORDER is. */
void cll_loop_begin(struct cll_loop *loop, unsigned number, unsigned ordered);
/* Adds the value of `size` bytes at `value`. Returns 0 (with a message) if there is no memory, or
 * after 2^20 values, since then the loop will not end. */
int cll_loop_push(struct cll_loop *loop, const void *value, unsigned size);
/* Writes the next value to `value` and returns 1; after the last, 0. */
int cll_loop_next(struct cll_loop *loop, void *value);
/* Reports on stderr that the `cll for` at `line` of the unit has no values: its body then runs
 * once, with the variables unchanged, as without the pragma. */
void cll_loop_empty(const struct cll_unit *unit, unsigned line);
/* Frees the memory of a loop that is left before its end; otherwise has no effect. */
void cll_loop_close(struct cll_loop *loop);

/* P and pid of the models BSP and PUB, if the program has no such variables: of all processors.
   And a barrier of all of them, which does not end a superstep. */
double cll_processors(void);
double cll_processor(void);
void cll_barrier(void);

/* P and pid of the model OpenMP, if the program has no such variables. */
#ifndef __cplusplus
#ifdef _OPENMP
extern int omp_in_parallel(void);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);
extern int omp_get_active_level(void);
CLL_INLINE double cll_openmp_processors(void)
{
    return omp_in_parallel() ? omp_get_num_threads() : omp_get_max_threads();
}
CLL_INLINE double cll_openmp_processor(void)
{
    return omp_get_thread_num();
}
/* The flag of a barrier for the samples after it: all threads have passed. For a team within
 * another one there is no flag, since the teams of a thread are not recorded. */
CLL_INLINE unsigned cll_openmp_synced(void)
{
    return omp_get_active_level() == 1 ? CLL_BARRIER : 0u;
}
#else
CLL_INLINE double cll_openmp_processors(void) { return 1; }
CLL_INLINE double cll_openmp_processor(void) { return 0; }
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif /* CLL_OFF */
#endif /* CLL_H */
