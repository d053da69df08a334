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
#define CLL_LEFT 1u      /* the region was left by a jump, a return or the end of its thread */
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

/* The processor's counter, without a fence (decision 0013). Only if cll_flags is CLL_FAST. */
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
 * CLL_NO_ASM disables this, for example for -masm=intel. Why: decision 0011. */
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

/* Places without a pragma (--auto) are many: their code is not repeated at each of them. A header of
 * generated code defines CLL_MADE_PLACES before it includes this file, and cll_this_unit after it. */
#if defined(CLL_MADE_PLACES) && !defined(CLL_OFF) && !defined(CLL_MADE_H)
#define CLL_MADE_H

static struct cll_unit cll_this_unit;

/* A passage of such a place. Its values follow. */
struct cll_made {
    struct cll_frame frame;
    cll_u32 id;    /* CLL_MADE_ID of the place */
    cll_u32 outer; /* of a recursive function: whether this is its outermost passage */
};

/* The number of a place and the number of its values. */
#define CLL_MADE_ID(place, nvalues) ((place) | (nvalues)*0x10000u)

/* The values are written one by one before they are read. */
#define CLL_MADE_FRESH(object) __asm__("" : "=m"(object));

#define CLL_SHARED \
    static __attribute__((__noinline__, __cold__, __unused__, __no_instrument_function__))

CLL_SHARED void cll_made_enter_in_c(struct cll_made *at)
{
    at->frame.context = 0;
    CLL_ENTER_IN_C(&at->frame, &cll_this_unit, at->id & 0xFFFFu);
}

CLL_SHARED void cll_made_leave_in_c(struct cll_made *at)
{
    cll_leave(&at->frame, &cll_this_unit, at->id & 0xFFFFu, (const double *)(at + 1), at->id >> 16,
              0);
}

/* Where a place can call a function that changes hardly any register, it does: so nothing is saved around
 * the call, and a compiler takes the whole marker for one instruction. Why: decision 0174. */
#if defined(__x86_64__) && defined(__LP64__) && defined(__ELF__) && !defined(CLL_NO_ASM) \
    && !defined(__code_model_large__) \
    && (defined(__STDC_VERSION__) || !defined(__clang__)) \
    && ((defined(__clang__) && __clang_major__ >= 11) || (!defined(__clang__) && __GNUC__ >= 9))

#define CLL_NAKED \
    static __attribute__((__naked__, __noinline__, __unused__, __no_instrument_function__, \
                          __no_profile_instrument_function__))

#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define CLL_CFI(text) text "\n\t"
#else
#define CLL_CFI(text)
#endif

#define CLL_OFFSET(name) [name] "i"(__builtin_offsetof(struct cll_thread, name))
#define CLL_BASE [base] "i"(&cll_this_unit.base)

/* Whether the processor has xsave: 1 no, 2 yes; 0 not known yet. */
static int cll_saving __attribute__((__unused__));

/* Calls the function in r11 with the passage in r10, and changes only these two registers. Saved are
 * parts 0-2, 5-7 and 19 of the extended state: those of x87, SSE, AVX, AVX-512 and APX. */
CLL_NAKED void cll_made_slow(void)
{
    __asm__ __volatile__(
        "pushq %%rbp\n\t"
        CLL_CFI(".cfi_adjust_cfa_offset 8")
        CLL_CFI(".cfi_rel_offset rbp, 0")
        "movq %%rsp, %%rbp\n\t"
        CLL_CFI(".cfi_def_cfa_register rbp")
        "pushq %%rax\n\t"
        "pushq %%rcx\n\t"
        "pushq %%rdx\n\t"
        "pushq %%rsi\n\t"
        "pushq %%rdi\n\t"
        "pushq %%r8\n\t"
        "pushq %%r9\n\t"
        "pushq %%rbx\n\t"
        "subq $4096, %%rsp\n\t"
        "andq $-64, %%rsp\n\t"
        "cmpl $0, %c[saving](%%rip)\n\t"
        "jne 1f\n\t"
        "movl $1, %%eax\n\t"
        "cpuid\n\t"
        "shrl $27, %%ecx\n\t"
        "andl $1, %%ecx\n\t"
        "incl %%ecx\n\t"
        "movl %%ecx, %c[saving](%%rip)\n"
        "1:\tmovl %c[saving](%%rip), %%ebx\n\t"
        "cmpl $2, %%ebx\n\t"
        "je 2f\n\t"
        "fxsave64 (%%rsp)\n\t"
        "jmp 3f\n"
        "2:\tleaq 512(%%rsp), %%rdi\n\t"
        "xorl %%eax, %%eax\n\t"
        "movl $8, %%ecx\n\t"
        "rep stosq\n\t"
        "movl $0x800e7, %%eax\n\t"
        "xorl %%edx, %%edx\n\t"
        "xsave64 (%%rsp)\n"
        "3:\tmovq %%r10, %%rdi\n\t"
        "call *%%r11\n\t"
        "cmpl $2, %%ebx\n\t"
        "je 4f\n\t"
        "fxrstor64 (%%rsp)\n\t"
        "jmp 5f\n"
        "4:\tmovl $0x800e7, %%eax\n\t"
        "xorl %%edx, %%edx\n\t"
        "xrstor64 (%%rsp)\n"
        "5:\tleaq -64(%%rbp), %%rsp\n\t"
        "popq %%rbx\n\t"
        "popq %%r9\n\t"
        "popq %%r8\n\t"
        "popq %%rdi\n\t"
        "popq %%rsi\n\t"
        "popq %%rdx\n\t"
        "popq %%rcx\n\t"
        "popq %%rax\n\t"
        "popq %%rbp\n\t"
        CLL_CFI(".cfi_def_cfa rsp, 8")
        CLL_CFI(".cfi_restore rbp")
        "ret"
        :
        : [saving] "i"(&cll_saving));
}

/* cll_enter: the passage in rax, its id in r10d. Only r10 and r11 are changed. The clock is read as late
 * as possible. */
CLL_NAKED void cll_made_enter(void)
{
    __asm__ __volatile__(
        "movl %%r10d, 16(%%rax)\n\t"
        "movq cll_flags@GOTPCREL(%%rip), %%r11\n\t"
        "cmpl $1, (%%r11)\n\t"
        "jne 5f\n\t"
        "movq cll_self@GOTTPOFF(%%rip), %%r11\n\t"
        "movq %%rdx, -8(%%rsp)\n\t"
        "cmpl $0, %%fs:4+%c[context](%%r11)\n\t"
        "jne 1f\n\t"
        "movq %%fs:%c[next](%%r11), %%rdx\n\t"
        "cmpq %%fs:%c[soft](%%r11), %%rdx\n\t"
        "jae 4f\n"
        "1:\tmovq %%fs:%c[watch](%%r11), %%rdx\n\t"
        "cmpq $0, (%%rdx)\n\t"
        "je 4f\n\t"
        "movq %%fs:%c[context](%%r11), %%rdx\n\t"
        "movq %%rdx, 8(%%rax)\n\t"
        "addl %c[base](%%rip), %%r10d\n\t"
        "rorq $16, %%rdx\n\t"
        "movw %%r10w, %%dx\n\t"
        "addq $0x10000, %%rdx\n\t"
        "btq $40, %%rdx\n\t"
        "jc 4f\n\t"
        "rolq $16, %%rdx\n\t"
        "movq %%rdx, %%fs:%c[context](%%r11)\n\t"
        "movq %%rax, %%r10\n\t"
        "rdtsc\n\t"
        "shlq $32, %%rdx\n\t"
        "orq %%rdx, %%rax\n\t"
        "movq %%rax, (%%r10)\n\t"
        "movq %%r10, %%rax\n\t"
        "movq -8(%%rsp), %%rdx\n\t"
        "ret\n"
        "4:\tmovq -8(%%rsp), %%rdx\n\t"
        "jmp 6f\n"
        "5:\tcmpl $0, (%%r11)\n\t"
        "jne 6f\n\t"
        "movq $0, 8(%%rax)\n\t"
        "ret\n"
        "6:\tmovq %%rax, %%r10\n\t"
        "leaq %c[in_c](%%rip), %%r11\n\t"
        "jmp %P[slow]"
        :
        : [in_c] "i"(cll_made_enter_in_c), [slow] "i"(cll_made_slow), CLL_BASE, CLL_OFFSET(context), CLL_OFFSET(next), CLL_OFFSET(soft), CLL_OFFSET(watch));
}

/* cll_leave: the passage in rdi. Only rdx and r8 to r11 are changed; the value that a function returns
 * is in rax. */
CLL_NAKED void cll_made_leave(void)
{
    __asm__ __volatile__(
        "movq 8(%%rdi), %%r11\n\t"
        "testq %%r11, %%r11\n\t"
        "je 4f\n\t"
        "movq cll_flags@GOTPCREL(%%rip), %%r8\n\t"
        "cmpl $1, (%%r8)\n\t"
        "jne 5f\n\t"
        "movq %%rax, %%r9\n\t"
        "rdtsc\n\t"
        "shlq $32, %%rdx\n\t"
        "orq %%rax, %%rdx\n\t"
        "movq %%r9, %%rax\n\t"
        "movq cll_self@GOTTPOFF(%%rip), %%r8\n\t"
        "cmpw %%r11w, %%fs:%c[context](%%r8)\n\t"
        "jne 5f\n\t"
        "cmpq $0, %%fs:%c[busy](%%r8)\n\t"
        "jne 5f\n\t"
        "movq %%r11, %%r9\n\t"
        "shrq $32, %%r9\n\t"
        "cmpq %%fs:%c[away](%%r8), %%r9\n\t"
        "jb 5f\n\t"
        "movq %%fs:%c[watch](%%r8), %%r9\n\t"
        "cmpq $0, (%%r9)\n\t"
        "je 5f\n\t"
        "movq %%rdi, %%fs:%c[busy](%%r8)\n\t"
        "movq %%fs:%c[next](%%r8), %%r9\n\t"
        "movzwl 18(%%rdi), %%r10d\n\t"
        "leaq 24(%%r9,%%r10,8), %%r10\n\t"
        "cmpq %%fs:%c[end](%%r8), %%r10\n\t"
        "jbe 1f\n\t"
        "movq $0, %%fs:%c[busy](%%r8)\n\t"
        "jmp 5f\n"
        "1:\tmovq %%rdx, 8(%%r9)\n\t"
        "movq (%%rdi), %%rdx\n\t"
        "movq %%rdx, (%%r9)\n\t"
        "movl 16(%%rdi), %%edx\n\t"
        "addl %c[base](%%rip), %%edx\n\t"
        "movq %%r11, 16(%%r9)\n\t"
        "movw %%dx, 16(%%r9)\n\t"
        "movq %%rax, -8(%%rsp)\n\t"
        "leaq -24(%%r10), %%rdx\n\t"
        "subq %%r9, %%rdx\n\t"
        "je 3f\n"
        "2:\tmovq 16(%%rdi,%%rdx), %%rax\n\t"
        "movq %%rax, 16(%%r9,%%rdx)\n\t"
        "subq $8, %%rdx\n\t"
        "jne 2b\n"
        "3:\tmovq -8(%%rsp), %%rax\n\t"
        "movq %%fs:%c[used](%%r8), %%r9\n\t"
        "leal -68(%%r10), %%edx\n\t"
        "subl %%r9d, %%edx\n\t"
        "movl %%edx, (%%r9)\n\t"
        "movq %%r10, %%fs:%c[next](%%r8)\n\t"
        "movq $0, %%fs:%c[busy](%%r8)\n\t"
        "movq %%r11, %%fs:%c[context](%%r8)\n\t"
        "movq $0, 8(%%rdi)\n"
        "4:\tret\n"
        "5:\tmovq %%rdi, %%r10\n\t"
        "leaq %c[in_c](%%rip), %%r11\n\t"
        "jmp %P[slow]"
        :
        : [in_c] "i"(cll_made_leave_in_c), [slow] "i"(cll_made_slow), CLL_BASE, CLL_OFFSET(context), CLL_OFFSET(busy), CLL_OFFSET(away), CLL_OFFSET(watch),
          CLL_OFFSET(next), CLL_OFFSET(end), CLL_OFFSET(used));
}

/* Never called: a function with a call that the compiler knows has nothing below the stack pointer, where
 * the calls that it does not know write. */
static __attribute__((__noinline__, __noreturn__, __unused__, __no_instrument_function__)) void
cll_made_never(void)
{
    __builtin_trap();
}

CLL_INLINE void cll_made_begin(struct cll_made *at, cll_u32 id)
{
    __asm__ __volatile__ __inline__ goto(
        "movl %k[id], %%r10d\n\tcall %P[enter]"
        :
        : "a"(at), [id] "ri"(id), [enter] "i"(cll_made_enter)
        : "r10", "r11", "cc", "memory"
        : never);
    return;
never:
    cll_made_never();
}

CLL_INLINE void cll_made_close(void *at)
{
    __asm__ __volatile__ __inline__(
        "call %P[leave]"
        :
        : "D"(at), [leave] "i"(cll_made_leave)
        : "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
}
#else
CLL_INLINE void cll_made_begin(struct cll_made *at, cll_u32 id)
{
    at->id = id;
    cll_made_enter_in_c(at);
}

CLL_INLINE void cll_made_close(void *made)
{
    cll_made_leave_in_c((struct cll_made *)made);
}
#endif

#endif /* CLL_MADE_PLACES */
