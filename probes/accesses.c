/*
 * accesses.c: sends the memory accesses of a program to `cll why`.
 *
 * The program is compiled with -fsanitize=thread, which puts a call before each access, and linked with this file in
 * place of the library of that option. Accesses to the RECENT lines that were used last are only counted; the others
 * are records, which let the reader keep the exact order of all lines by their last use.
 *
 * CLL_ACCESSES_SOCKET is the path of the reader's socket. The first two words that it sends are sampling masks: of all
 * lines, and of all pages, those are followed whose hash has no bit of the mask. Records are three words, see `record`.
 * Pages are followed as lines are. Of the processes of an MPI program the first one sends; all count messages, in
 * messages.c.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { RECENT = 16, LINE_BITS = 6, PAGE_LINE_BITS = 6, BUFFER = 1 << 15, MAX_CODE = 1 << 26, MAX_SITES = 1 << 18, MAX_DEPTH = 1 << 14 };
enum { ACCESS, SITE, ALLOCATE, FREE, BEGIN, VALUE, END, COUNT, STACK, CALLER, PAGE };

typedef uint64_t word;
typedef uintptr_t address;

extern char __executable_start;
extern void *__libc_stack_end;

static int is_on, is_inside, is_one_of_many, reader = -1;
static word masks[2]; /* of lines, of pages */
static word buffer[BUFFER * 3];
static unsigned filled;
static uint32_t site_of[MAX_CODE]; /* by the return address of a call; from 1 */
static word count[MAX_SITES];
static uint32_t touched[MAX_SITES], touched_number, sites;
static word recent[RECENT], last_line;
static word recent_pages[RECENT], last_page;
static void *callers[MAX_DEPTH];
static unsigned depth;
static pid_t owner;

static void flush(void)
{
    const char *from = (const char *)buffer;
    size_t size = (size_t)filled * 3 * sizeof *buffer;
    filled = 0;
    while (size > 0) {
        ssize_t sent = write(reader, from, size);
        if (sent <= 0)
            _exit(is_one_of_many); /* the reader has enough; of many processes no other is to wait for this one */
        from += sent;
        size -= (size_t)sent;
    }
}

/* kind in 8 bits and a number in the others; two values */
static inline void record(int kind, word number, word a, word b)
{
    word *at = buffer + (size_t)filled * 3;
    at[0] = (word)kind | number << 8;
    at[1] = a;
    at[2] = b;
    if (++filled == BUFFER)
        flush();
}

static uint32_t new_site(size_t place)
{
    if (sites + 1 >= MAX_SITES)
        return MAX_SITES - 1;
    site_of[place] = ++sites;
    record(SITE, sites, place, 0);
    return sites;
}

static inline uint32_t site(void *code)
{
    size_t place = (size_t)((char *)code - &__executable_start);
    uint32_t found;
    if (place >= MAX_CODE)
        return 0;
    found = site_of[place];
    return found ? found : new_site(place);
}

static inline int is_left_out(word number, word mask)
{
    return mask && ((number * 0x9E3779B97F4A7C15u) >> 32 & mask);
}

/* Puts it first of the most recent ones; if it was not among them, the last one leaves them. */
static inline void used(word *at, word number, int kind, uint32_t from, word line)
{
    int k;
    word before = at[0], next;
    if (before == number)
        return;
    at[0] = number;
    for (k = 1; k < RECENT; k++) {
        next = at[k];
        at[k] = before;
        if (next == number)
            return;
        before = next;
    }
    record(kind, from, line, before);
}

static inline void line_is_used(word line, uint32_t from)
{
    word page = line >> PAGE_LINE_BITS;
    if (line == last_line)
        return;
    if (page != last_page && !is_left_out(page, masks[1])) {
        last_page = page;
        used(recent_pages, page, PAGE, from, line);
    }
    if (is_left_out(line, masks[0]))
        return;
    last_line = line;
    used(recent, line, ACCESS, from, line);
}

static inline void accessed(const volatile void *to, size_t size, void *code)
{
    word line = (address)to >> LINE_BITS, last;
    uint32_t from;
    if (!is_on || size == 0)
        return;
    from = site(code);
    if (count[from]++ == 0)
        touched[touched_number++] = from;
    line_is_used(line, from);
    last = ((address)to + size - 1) >> LINE_BITS;
    while (line < last) {
        line_is_used(++line, from);
        count[from]++;
    }
}

#define HERE __builtin_return_address(0)
#define SIZED(n) \
    void __tsan_read##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_write##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_volatile_read##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_volatile_write##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_unaligned_read##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_unaligned_write##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_unaligned_volatile_read##n(void *p) { accessed(p, n, HERE); } \
    void __tsan_unaligned_volatile_write##n(void *p) { accessed(p, n, HERE); }
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

void __tsan_read_range(void *p, size_t size) { accessed(p, size, HERE); }
void __tsan_write_range(void *p, size_t size) { accessed(p, size, HERE); }
void __tsan_vptr_read(void **p) { accessed(p, sizeof *p, HERE); }
void __tsan_vptr_update(void **p, void *q) { (void)q; accessed(p, sizeof *p, HERE); }
void __tsan_init(void) {}
void __tsan_func_entry(void *code)
{
    if (depth < MAX_DEPTH)
        callers[depth] = code;
    depth++;
}
void __tsan_func_exit(void) { depth -= depth > 0; }

#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *p, int o) \
    { (void)o; accessed(p, sizeof *p, HERE); return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int o) \
    { (void)o; accessed(p, sizeof *p, HERE); __atomic_store_n(p, v, __ATOMIC_SEQ_CST); } \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int o) \
    { (void)o; accessed(p, sizeof *p, HERE); return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int o, int f) \
    { (void)o; (void)f; accessed(p, sizeof *p, HERE); \
      return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int o, int f) \
    { (void)o; (void)f; accessed(p, sizeof *p, HERE); \
      return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); } \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) \
    FETCH(bits, type, xor) FETCH(bits, type, nand)
#define FETCH(bits, type, what) \
    type __tsan_atomic##bits##_fetch_##what(volatile type *p, type v, int o) \
    { (void)o; accessed(p, sizeof *p, HERE); return __atomic_fetch_##what(p, v, __ATOMIC_SEQ_CST); }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int o) { (void)o; __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int o) { (void)o; }

/* Those of messages.c, in an MPI program. */
#pragma weak cll_messages_begin
#pragma weak cll_messages_value
#pragma weak cll_messages_end
void cll_messages_begin(int place);
void cll_messages_value(int index, double value);
void cll_messages_end(int place);

/* Where an experiment begins and ends: the program's header calls these. */
void cll_accesses_begin(int place)
{
    uint32_t k;
    if (cll_messages_begin)
        cll_messages_begin(place);
    if (!is_on)
        return;
    for (k = 0; k < touched_number; k++)
        if (is_inside)
            record(COUNT, touched[k], count[touched[k]], 0);
    for (k = 0; k < touched_number; k++)
        count[touched[k]] = 0;
    touched_number = 0;
    is_inside++;
    record(BEGIN, (word)place, 0, 0);
}

void cll_accesses_value(int index, double value)
{
    word bits;
    if (cll_messages_value)
        cll_messages_value(index, value);
    memcpy(&bits, &value, sizeof bits);
    if (is_on)
        record(VALUE, (word)index, bits, 0);
}

void cll_accesses_end(int place)
{
    uint32_t k;
    if (cll_messages_end)
        cll_messages_end(place);
    if (!is_on)
        return;
    for (k = 0; k < touched_number; k++) {
        record(COUNT, touched[k], count[touched[k]], 0);
        count[touched[k]] = 0;
    }
    touched_number = 0;
    is_inside -= is_inside > 0;
    record(END, (word)place, 0, 0);
}

/* The linker sends the program's calls of these functions here: -Wl,--wrap. */
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void __real_free(void *);
void *__real_memcpy(void *, const void *, size_t);
void *__real_memmove(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);

static void allocated(void *p, size_t size, void *code)
{
    unsigned k, own;
    if (!is_on || p == NULL)
        return;
    record(ALLOCATE, site(code), (word)(address)p, size);
    /* Calls of the function that allocates: it may serve many arrays. The innermost caller is the function's own. */
    own = depth < MAX_DEPTH ? depth : MAX_DEPTH;
    for (k = 0; k < 3 && k < own; k++)
        record(CALLER, site(callers[own - 1 - k]), 0, 0);
}

static void released(void *p)
{
    if (is_on && p != NULL)
        record(FREE, 0, (word)(address)p, 0);
}

void *__wrap_malloc(size_t size)
{
    void *p = __real_malloc(size);
    allocated(p, size, HERE);
    return p;
}

void *__wrap_calloc(size_t number, size_t size)
{
    void *p = __real_calloc(number, size);
    allocated(p, number * size, HERE);
    return p;
}

void *__wrap_realloc(void *old, size_t size)
{
    void *p;
    released(old);
    p = __real_realloc(old, size);
    allocated(p, size, HERE);
    return p;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *p = __real_aligned_alloc(alignment, size);
    allocated(p, size, HERE);
    return p;
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t size)
{
    int wrong = __real_posix_memalign(p, alignment, size);
    if (!wrong)
        allocated(*p, size, HERE);
    return wrong;
}

void __wrap_free(void *p)
{
    released(p);
    __real_free(p);
}

void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    accessed(from, size, HERE);
    accessed(to, size, HERE);
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size)
{
    accessed(from, size, HERE);
    accessed(to, size, HERE);
    return __real_memmove(to, from, size);
}

void *__wrap_memset(void *to, int value, size_t size)
{
    accessed(to, size, HERE);
    return __real_memset(to, value, size);
}

/* Whether this is not the first process; a launcher gives each its number in a variable. */
static int is_other_process(const char *variable)
{
    const char *number = getenv(variable);
    if (number == NULL)
        return 0;
    is_one_of_many = 1;
    return strcmp(number, "0") != 0;
}

static void __attribute__((constructor(200))) begin(void)
{
    struct sockaddr_un to;
    struct rlimit limit;
    address top = (address)__libc_stack_end, size = (address)8 << 20;
    if (is_other_process("OMPI_COMM_WORLD_RANK") || is_other_process("PMI_RANK"))
        return;
    memset(&to, 0, sizeof to);
    to.sun_family = AF_UNIX;
    if (sizeof CLL_ACCESSES_SOCKET > sizeof to.sun_path)
        return;
    memcpy(to.sun_path, CLL_ACCESSES_SOCKET, sizeof CLL_ACCESSES_SOCKET);
    reader = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (reader < 0 || connect(reader, (struct sockaddr *)&to, sizeof to) != 0)
        return;
    if (recv(reader, masks, sizeof masks, MSG_WAITALL) != sizeof masks)
        return;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        size = limit.rlim_cur;
    owner = getpid();
    is_on = 1;
    record(STACK, 0, (word)(top > size ? top - size : 0), (word)top + 4096);
    record(ALLOCATE, 0, (word)(address)&__executable_start, 0);
}

static void __attribute__((destructor)) end(void)
{
    if (is_on && getpid() == owner)
        flush();
    is_on = 0;
}
