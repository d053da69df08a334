/*
 * bsp.h: BSPlib, the library of bulk-synchronous parallel programs, complete.
 *
 * p processors, numbered 0 to p-1, run one program in supersteps. A superstep is local
 * computation and requests (put, get, send); bsp_sync ends it for all processors and completes
 * the requests. Inside one bsp_sync, when all processors have reached it,
 *
 *     1. all gets read their sources;
 *     2. what they read is written to their destinations;
 *     3. all puts are written, messages take the place of those of the superstep before;
 *     4. registrations, deregistrations and tag sizes take effect.
 *
 * So a get never sees a put of its superstep, and if both write to one place, the put remains.
 * Several puts to one place are written in the order of the processors that called bsp_put, then
 * in the order of each one's calls. Several gets of one processor to one place are written in the
 * order of the processors from which they read, then in the order of the calls. The last write
 * remains. Messages are queued in the order of their senders, then in the order of the calls. So
 * the same program with the same input gives the same result. Requests of a processor to itself
 * obey the same rules.
 *
 * COST. A superstep takes w + h*g + l: w is the longest local computation, h the largest number of
 * bytes that any processor sends or receives, g the time per byte, l the time of the barrier; g
 * and l depend on the machine. Below, `sends n` and `receives n` say what a call adds to h.
 *
 * ERRORS. Each error that a comment names ends all processors, with a message on standard error
 * that names the processor, the call, its file and line. The exit status is 1. No function returns
 * an error code.
 *
 * TYPES. As in BSPlib (1998) numbers and sizes are int. With BSP_SIZE_T defined before the
 * #include they are unsigned int and size_t, as in MulticoreBSP (mcbsp.h defines it); the object
 * files of one program may differ. Programs that use the three types below compile with both. A
 * pointer to the other type is a compiler error whose message says what to define.
 *
 * Compile and link with `cll cc`, or with the flags of `pkg-config cll`. C99 and later, C++98 and
 * later, gcc and clang. With BSP_NO_LEVEL1 defined the program may use the names of the last part
 * (collective calls, parameters of the machine) itself.
 *
 * The calls are macros, which pass __FILE__ and __LINE__. There are also functions of the same
 * names, so &bsp_put is the address of one. One thread of each processor may call them.
 */
#ifndef CLL_BSP_H
#define CLL_BSP_H

#ifdef CLL_PUB_H
#error "bsp.h after pub.h: both have the same names; a source file can include one of them"
#endif
#ifndef __GNUC__
#error "bsp.h needs gcc or clang, or a compiler that understands their extensions"
#endif

/* Programs rely on <stdio.h>, as in the first bsp.h, and on <stdint.h>. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef BSP_SIZE_T
typedef unsigned int bsp_pid_t;
typedef unsigned int bsp_nprocs_t;
typedef size_t bsp_size_t;
#else
typedef int bsp_pid_t;    /* the number of a processor */
typedef int bsp_nprocs_t; /* the number of processors, or of messages */
typedef int bsp_size_t;   /* bytes: a size or an offset */
#endif

/* The same types with the names of MulticoreBSP 1. */
#define MCBSP_PROCESSOR_INDEX_DATATYPE bsp_pid_t
#define MCBSP_NUMMSG_TYPE bsp_nprocs_t
#define MCBSP_BYTESIZE_TYPE bsp_size_t

#ifdef __cplusplus
extern "C" {
#endif

/* libbsp.a, which has these functions as symbols, is made from this header with CLL_BSP_PLAIN. */
#ifdef CLL_BSP_PLAIN
#define CLL_BSP_FUNCTION
#else
#define CLL_BSP_FUNCTION static __inline__ __attribute__((__unused__))
#define bsp_abort cll_bsp_abort
#define bsp_abort_va cll_bsp_abort_va
#define bsp_vabort cll_bsp_abort_va
#endif
#define CLL_BSP_ENDS __attribute__((__noreturn__))
/* An area need not be initialised when it is registered: no warning about that. */
#if !defined(__clang__) && __GNUC__ >= 11
#define CLL_BSP_NAMES __attribute__((__access__(__none__, 1)))
#else
#define CLL_BSP_NAMES
#endif
#define CLL_BSP_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))

/* ------------------------------ Start and stop ------------------------------ */

/* Declares that `spmd` is the function that calls bsp_begin and bsp_end. Call it at the beginning
 * of main; it is needed only if bsp_begin is not the first statement of main. From now on only
 * processor 0 continues in main, and must call `spmd`. The others call `spmd` automatically and
 * end in its bsp_end. `argc` and `argv` may be 0 and NULL. After bsp_end it can be called again,
 * for another parallel part.
 * Error: a second call for one parallel part; a call in the parallel part; `spmd` is NULL; the
 * program already has other threads. */
CLL_BSP_FUNCTION void bsp_init(void (*spmd)(void), int argc, char **argv);

/* Begins the parallel part with min(maxprocs, bsp_nprocs()) processors; it must be the first
 * statement of its function. The caller becomes processor 0 and keeps its state. On the others all
 * variables must be considered undefined; what one processor writes to a variable is not visible
 * to the others. Standard input belongs to processor 0. Without bsp_init the others begin here.
 * Only the value of `maxprocs` on processor 0 counts. After bsp_end another parallel part can
 * begin, with new processors: only the state of processor 0 remains from earlier parts. Processors
 * that are threads need a bsp_init for it; virtual processors, and those that MPI has started,
 * have only one parallel part.
 * Error: bsp_begin in the parallel part; a second parallel part if there can be only one; maxprocs
 * <= 0; the program already has other threads, if there was no bsp_init.
 * Cost: start and stop take some ms for each parallel part. */
CLL_BSP_FUNCTION void bsp_begin(bsp_nprocs_t maxprocs);

/* Ends the parallel part; it must be the last statement of the same function. Every processor
 * calls it. All but processor 0 end with exit status 0; processor 0 continues when they have
 * ended. This is not a bsp_sync: requests since the last one are not carried out.
 * Error: outside the parallel part; while another processor waits in bsp_sync. It is also an error
 * if the program ends without bsp_end: by exit() in the parallel part, or by a return from main. */
CLL_BSP_FUNCTION void bsp_end(void);

/* Prints on standard error like printf, and ends all processors with exit status 1. Any processor
 * may call it, at any time, alone, even before bsp_begin. If several do, some or all texts are
 * printed. bsp_vabort is another name of bsp_abort_va. */
CLL_BSP_ENDS CLL_BSP_PRINTS(1, 2) void bsp_abort(const char *format, ...);
CLL_BSP_ENDS CLL_BSP_PRINTS(1, 0) void bsp_abort_va(const char *format, va_list arguments);
#ifdef CLL_BSP_PLAIN
CLL_BSP_ENDS CLL_BSP_PRINTS(1, 0) void bsp_vabort(const char *format, va_list arguments);
#endif

/* --------------------------------- Enquiry ---------------------------------- */

/* Before bsp_begin: the maximal number of processors, which is CLL_NPROCS in the environment (`cll
 * run -n` sets it), otherwise the number of processor cores that the program may use. There may be
 * more processors than cores. From bsp_begin on, even after bsp_end: p. */
CLL_BSP_FUNCTION bsp_nprocs_t bsp_nprocs(void);

/* The caller's number, 0 to p-1.
 * Error: outside the parallel part. */
CLL_BSP_FUNCTION bsp_pid_t bsp_pid(void);

/* Seconds since bsp_begin, by the caller's own clock, which never jumps; clocks of two processors
 * may differ. On virtual processors (docs/virtual.md) it is their virtual time.
 * Error: outside the parallel part. */
CLL_BSP_FUNCTION double bsp_time(void);

/* ------------------------------ Synchronisation ----------------------------- */

/* Ends the superstep, as described at the beginning of this file. All processors call it.
 * Error: outside the parallel part; another processor is in bsp_end; the processors differ in the
 * number or order of their bsp_push_reg, bsp_pop_reg or bsp_set_tagsize, in what they pop, or in
 * the tag size.
 * Cost: h*g + l. */
CLL_BSP_FUNCTION void bsp_sync(void);

/* ------------------------------- Registration ------------------------------- */

/* Registers the `nbytes` bytes at `address` for access by others. All processors call it, in the
 * same order; the k-th calls of a superstep belong together, and make the address on one processor
 * the name of the areas on all. Sizes may differ; access to a processor's area is limited by its
 * own size. With size 0 the address is only a name, with which its owner accesses the areas of the
 * others. NULL with size 0: this processor has no area. It takes effect from the next superstep
 * on. The same address may be registered again, also with another size: the latest registration
 * counts.
 * Error: outside the parallel part; a negative size; NULL with another size than 0.
 * Cost: local. The first registration of a large area also takes about 1 ms per MiB, since its
 * memory becomes shared. */
CLL_BSP_FUNCTION void bsp_push_reg(const void *address, bsp_size_t nbytes);

/* Removes the latest registration of `address`, at the end of the superstep; then an older one of
 * that address counts again. All processors call it, for the same registration, in the same order
 * relative to other calls of bsp_push_reg and bsp_pop_reg. Registrations may be removed in any
 * order, even in the superstep that made them. A processor that registered NULL removes NULL.
 * Error: outside the parallel part; an address that is not registered; at the bsp_sync: processors
 * that remove different registrations. */
CLL_BSP_FUNCTION void bsp_pop_reg(const void *address);

/* ------------------------- Access to remote memory -------------------------- */

/* In all five calls: if `nbytes` is 0, the call does nothing, whatever the other arguments are.
 * `offset` belongs to the remote area and counts bytes from its beginning.
 * Error: outside the parallel part; a processor that does not exist; a negative offset or size; an
 * area whose address this processor has not registered, or only in this superstep; a processor
 * without an area in that registration; an access beyond the end of its area; NULL for the local
 * side. */

/* Copies `nbytes` from `source` to `offset` in the area that is registered as `destination` on
 * processor `pid`, at the end of the superstep. `source` is copied during the call, and may be
 * changed after it.
 * Cost: a copy of nbytes; sends nbytes, processor pid receives them. */
CLL_BSP_FUNCTION void bsp_put(bsp_pid_t pid, const void *source, void *destination,
                              bsp_size_t offset, bsp_size_t nbytes);

/* Copies `nbytes` from `offset` in the area that is registered as `source` on processor `pid` to
 * `destination`, at the end of the superstep, with the values of that time.
 * Cost: receives nbytes, processor pid sends them. */
CLL_BSP_FUNCTION void bsp_get(bsp_pid_t pid, const void *source, bsp_size_t offset,
                              void *destination, bsp_size_t nbytes);

/* The same without copies in between: the bytes are transferred at any time between the call and
 * the end of the superstep. Until then nothing else may write to the source, or read or write the
 * destination.
 * Cost: as bsp_put and bsp_get, without the copy. */
CLL_BSP_FUNCTION void bsp_hpput(bsp_pid_t pid, const void *source, void *destination,
                                bsp_size_t offset, bsp_size_t nbytes);
CLL_BSP_FUNCTION void bsp_hpget(bsp_pid_t pid, const void *source, bsp_size_t offset,
                                void *destination, bsp_size_t nbytes);

/* As in MulticoreBSP: copies immediately, and returns when the bytes are at `destination`. They
 * are the values that processor `pid` has in its area at this moment: a processor that writes
 * there in the same superstep must not do so before they are read, and no call ensures that. Puts
 * and gets of the previous superstep are complete: the call waits for them. On virtual processors,
 * which compute in turns, and with the mpi engine, whose processors share no memory, it is an
 * error, except for the caller's own area; bsp_get reads the same at the end of the superstep.
 * Cost: receives nbytes, processor pid sends them; g and l do not predict its time. */
CLL_BSP_FUNCTION void bsp_direct_get(bsp_pid_t pid, const void *source, bsp_size_t offset,
                                     void *destination, bsp_size_t nbytes);

/* --------------------------------- Messages --------------------------------- */

/* A message has a tag, whose size is the same for all messages of a superstep, and a payload. It
 * is in the queue of its receiver in the next superstep, and is discarded after that, read or not. */

/* Sets the size of tags to *nbytes, for the messages that are sent from the next superstep on;
 * *nbytes becomes the size set by the last call, initially 0. All processors call it, with the
 * same size. Of several calls in a superstep the last one counts.
 * Error: outside the parallel part; NULL; a negative size; at the bsp_sync: different sizes or
 * numbers of calls. */
CLL_BSP_FUNCTION void bsp_set_tagsize(bsp_size_t *nbytes);

/* Sends a message to processor `pid`. Tag and payload are copied during the call. `payload` may be
 * NULL if nbytes is 0, and `tag` if the tag size is 0: even then it is a message and is counted.
 * Error: outside the parallel part; a processor that does not exist; a negative size; NULL for a
 * tag or payload that has bytes.
 * Cost: a copy of both; sends tag and payload, processor pid receives them. */
CLL_BSP_FUNCTION void bsp_send(bsp_pid_t pid, const void *tag, const void *payload,
                               bsp_size_t nbytes);

/* The same without a copy: tag and payload must not be changed before the end of the superstep.
 * Cost: as bsp_send, without the copy. */
CLL_BSP_FUNCTION void bsp_hpsend(bsp_pid_t pid, const void *tag, const void *payload,
                                 bsp_size_t nbytes);

/* The number of messages in the queue that have not been removed, and the total size of their
 * payloads in bytes (at most the largest value of the type). Either may be NULL.
 * Error: outside the parallel part. */
CLL_BSP_FUNCTION void bsp_qsize(bsp_nprocs_t *nmessages, bsp_size_t *nbytes);

/* Reads the first message: *status becomes the size of its payload, and the tag is copied to
 * `tag`, which may be NULL if the tag size is 0. If the queue is empty, *status becomes -1, in
 * size_t (size_t)-1, and nothing is copied.
 * Error: outside the parallel part; NULL for status, or for a tag that has bytes. */
CLL_BSP_FUNCTION void bsp_get_tag(bsp_size_t *status, void *tag);

/* Removes the first message and copies at most `nbytes` of its payload to `payload`; the rest is
 * discarded. With 0 bytes `payload` may be NULL.
 * Error: outside the parallel part; an empty queue; a negative size; NULL with another size.
 * Cost: a copy. */
CLL_BSP_FUNCTION void bsp_move(void *payload, bsp_size_t nbytes);

/* Removes the first message without a copy: the pointers point to the library's memory, aligned
 * for every type, where tag and payload may be read and changed until the next bsp_sync. Returns
 * the size of the payload, or -1 (in size_t: (size_t)-1) if the queue is empty.
 * Error: outside the parallel part; NULL. */
CLL_BSP_FUNCTION bsp_size_t bsp_hpmove(void **tag, void **payload);

/* -------------------- Level 1: what is made of the above -------------------- */

#ifndef BSP_NO_LEVEL1

/* All processors call these, with the same root, operator and size. Each ends the superstep like
 * bsp_sync: requests made before it are completed, messages sent before it can be read after it.
 * Its own result is written last. Nothing needs to be registered. Source and destination may be
 * the same. With `nbytes` 0 it is a bsp_sync.
 * Error: as bsp_sync; a root that does not exist; a negative size; NULL for a buffer that has
 * bytes; processors that make different calls, or with different arguments. */

/* Copies the `nbytes` at `source` on processor root to `destination` on every processor.
 * Cost: (p-1)*nbytes*g + l. For large areas two stages, written with bsp_put, are better: root
 * sends a part to each processor, which sends it to all; about 2*nbytes*g + 2*l. */
CLL_BSP_FUNCTION void bsp_bcast(bsp_pid_t root, const void *source, void *destination,
                                bsp_size_t nbytes);

/* Copies the `nbytes` of each processor to `destination` on root, one after the other by
 * processor: it has p*nbytes there.
 * Cost: (p-1)*nbytes*g + l. */
CLL_BSP_FUNCTION void bsp_gather(bsp_pid_t root, const void *source, void *destination,
                                 bsp_size_t nbytes);

/* The reverse: processor i gets the i-th part of the p*nbytes at `source` on root.
 * Cost: (p-1)*nbytes*g + l. */
CLL_BSP_FUNCTION void bsp_scatter(bsp_pid_t root, const void *source, void *destination,
                                  bsp_size_t nbytes);

/* Combines two values: op(result, left, right, &nbytes) computes *result = left op right, nbytes
 * each; result is different from both operands. It must be associative; it need not be
 * commutative, since values of processors with lower numbers are always on the left. */
typedef void (*cll_bsp_operator)(void *result, void *left, void *right, bsp_size_t *nbytes);

/* x0 op x1 op ... op x(p-1), to `destination` on every processor; xi are the `nbytes` at `source`
 * on processor i. Any function whose four parameters are pointers is accepted; it is called as
 * described above.
 * Cost: (p-1)*nbytes*g + l, and p-1 times op. */
CLL_BSP_FUNCTION void bsp_fold(cll_bsp_operator op, const void *source, void *destination,
                               bsp_size_t nbytes);

/* x0 op x1 op ... op xi, on processor i.
 * Cost: (p-1)*nbytes*g + l, and p-1 times op. */
CLL_BSP_FUNCTION void bsp_scan(cll_bsp_operator op, const void *source, void *destination,
                               bsp_size_t nbytes);

/* 1 if `condition` is not 0 on all processors, or on any processor; otherwise 0.
 * Cost: (p-1)*sizeof(int)*g + l. */
CLL_BSP_FUNCTION int bsp_all(int condition);
CLL_BSP_FUNCTION int bsp_any(int condition);

/* The machine's parameters with p processors, from the machine file that CLL_MACHINE in the
 * environment of `cll run` names (`cll machine probe --bsp` measures it): the speed s of a
 * processor in operations per second, l in operations, g in operations per word of 32 bits, and
 * the size in words of a transfer that reaches half of the best speed.
 * Error: outside the parallel part; there is no such file, or it has no value for p processors. */
CLL_BSP_FUNCTION double bsp_s(void);
CLL_BSP_FUNCTION double bsp_l(void);
CLL_BSP_FUNCTION double bsp_g(void);
CLL_BSP_FUNCTION double bsp_nhalf(void);

#endif /* BSP_NO_LEVEL1 */

/* ------------------------------ Older names ------------------------------- */

/* Names of the Oxford BSP Toolset for bsp_push_reg, bsp_pop_reg, bsp_set_tagsize. */
CLL_BSP_FUNCTION void bsp_pushregister(const void *address, bsp_size_t nbytes);
CLL_BSP_FUNCTION void bsp_popregister(const void *address);
CLL_BSP_FUNCTION void bsp_set_tag_size(bsp_size_t *nbytes);

/* ------------------------- What the compiler needs -------------------------- */

/* The library's functions. Those with sizes or numbers of processors exist for both types. */
#ifdef BSP_SIZE_T
#define CLL_BSP(name) cll_bspz_##name
#else
#define CLL_BSP(name) cll_bsp_##name
#endif

void cll_bsp_init(void (*spmd)(void), int argc, char **argv, const char *file, int line);
void CLL_BSP(begin)(bsp_nprocs_t maxprocs, const char *file, int line);
void cll_bsp_end(const char *file, int line);
#ifdef CLL_BSP_PLAIN
CLL_BSP_ENDS void cll_bsp_abort_va(const char *format, va_list arguments);
#endif
bsp_nprocs_t CLL_BSP(nprocs)(void);
bsp_pid_t CLL_BSP(pid)(const char *file, int line);
double cll_bsp_time(const char *file, int line);
void cll_bsp_sync(const char *file, int line);
CLL_BSP_NAMES void CLL_BSP(push_reg)(const void *address, bsp_size_t nbytes, const char *file,
                                     int line);
CLL_BSP_NAMES void cll_bsp_pop_reg(const void *address, const char *file, int line);
void CLL_BSP(put)(bsp_pid_t pid, const void *source, void *destination, bsp_size_t offset,
                  bsp_size_t nbytes, const char *file, int line);
void CLL_BSP(get)(bsp_pid_t pid, const void *source, bsp_size_t offset, void *destination,
                  bsp_size_t nbytes, const char *file, int line);
void CLL_BSP(hpput)(bsp_pid_t pid, const void *source, void *destination, bsp_size_t offset,
                    bsp_size_t nbytes, const char *file, int line);
void CLL_BSP(hpget)(bsp_pid_t pid, const void *source, bsp_size_t offset, void *destination,
                    bsp_size_t nbytes, const char *file, int line);
void CLL_BSP(direct_get)(bsp_pid_t pid, const void *source, bsp_size_t offset, void *destination,
                         bsp_size_t nbytes, const char *file, int line);
void CLL_BSP(set_tagsize)(bsp_size_t *nbytes, const char *file, int line);
void CLL_BSP(send)(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes,
                   const char *file, int line);
void CLL_BSP(hpsend)(bsp_pid_t pid, const void *tag, const void *payload, bsp_size_t nbytes,
                     const char *file, int line);
void CLL_BSP(qsize)(bsp_nprocs_t *nmessages, bsp_size_t *nbytes, const char *file, int line);
void CLL_BSP(get_tag)(bsp_size_t *status, void *tag, const char *file, int line);
void CLL_BSP(move)(void *payload, bsp_size_t nbytes, const char *file, int line);
bsp_size_t CLL_BSP(hpmove)(void **tag, void **payload, const char *file, int line);
#ifndef BSP_NO_LEVEL1
void CLL_BSP(bcast)(bsp_pid_t root, const void *source, void *destination, bsp_size_t nbytes,
                    const char *file, int line);
void CLL_BSP(gather)(bsp_pid_t root, const void *source, void *destination, bsp_size_t nbytes,
                     const char *file, int line);
void CLL_BSP(scatter)(bsp_pid_t root, const void *source, void *destination, bsp_size_t nbytes,
                      const char *file, int line);
void CLL_BSP(fold)(cll_bsp_operator op, const void *source, void *destination, bsp_size_t nbytes,
                   const char *file, int line);
void CLL_BSP(scan)(cll_bsp_operator op, const void *source, void *destination, bsp_size_t nbytes,
                   const char *file, int line);
int cll_bsp_all(int condition, const char *file, int line);
int cll_bsp_any(int condition, const char *file, int line);
double cll_bsp_s(const char *file, int line);
double cll_bsp_l(const char *file, int line);
double cll_bsp_g(const char *file, int line);
double cll_bsp_nhalf(const char *file, int line);
#endif

#ifndef CLL_BSP_PLAIN

/* The functions: without a place in the source. */
CLL_BSP_FUNCTION void bsp_init(void (*spmd)(void), int argc, char **argv)
{
    cll_bsp_init(spmd, argc, argv, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_begin(bsp_nprocs_t maxprocs) { CLL_BSP(begin)(maxprocs, NULL, 0); }
CLL_BSP_FUNCTION void bsp_end(void) { cll_bsp_end(NULL, 0); }
CLL_BSP_FUNCTION bsp_nprocs_t bsp_nprocs(void) { return CLL_BSP(nprocs)(); }
CLL_BSP_FUNCTION bsp_pid_t bsp_pid(void) { return CLL_BSP(pid)(NULL, 0); }
CLL_BSP_FUNCTION double bsp_time(void) { return cll_bsp_time(NULL, 0); }
CLL_BSP_FUNCTION void bsp_sync(void) { cll_bsp_sync(NULL, 0); }
CLL_BSP_FUNCTION void bsp_push_reg(const void *address, bsp_size_t nbytes)
{
    CLL_BSP(push_reg)(address, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_pushregister(const void *address, bsp_size_t nbytes)
{
    CLL_BSP(push_reg)(address, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_pop_reg(const void *address) { cll_bsp_pop_reg(address, NULL, 0); }
CLL_BSP_FUNCTION void bsp_popregister(const void *address) { cll_bsp_pop_reg(address, NULL, 0); }
CLL_BSP_FUNCTION void bsp_put(bsp_pid_t pid, const void *source, void *destination,
                              bsp_size_t offset, bsp_size_t nbytes)
{
    CLL_BSP(put)(pid, source, destination, offset, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_get(bsp_pid_t pid, const void *source, bsp_size_t offset,
                              void *destination, bsp_size_t nbytes)
{
    CLL_BSP(get)(pid, source, offset, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_hpput(bsp_pid_t pid, const void *source, void *destination,
                                bsp_size_t offset, bsp_size_t nbytes)
{
    CLL_BSP(hpput)(pid, source, destination, offset, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_hpget(bsp_pid_t pid, const void *source, bsp_size_t offset,
                                void *destination, bsp_size_t nbytes)
{
    CLL_BSP(hpget)(pid, source, offset, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_direct_get(bsp_pid_t pid, const void *source, bsp_size_t offset,
                                     void *destination, bsp_size_t nbytes)
{
    CLL_BSP(direct_get)(pid, source, offset, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_set_tagsize(bsp_size_t *nbytes) { CLL_BSP(set_tagsize)(nbytes, NULL, 0); }
CLL_BSP_FUNCTION void bsp_set_tag_size(bsp_size_t *nbytes)
{
    CLL_BSP(set_tagsize)(nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_send(bsp_pid_t pid, const void *tag, const void *payload,
                               bsp_size_t nbytes)
{
    CLL_BSP(send)(pid, tag, payload, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_hpsend(bsp_pid_t pid, const void *tag, const void *payload,
                                 bsp_size_t nbytes)
{
    CLL_BSP(hpsend)(pid, tag, payload, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_qsize(bsp_nprocs_t *nmessages, bsp_size_t *nbytes)
{
    CLL_BSP(qsize)(nmessages, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_get_tag(bsp_size_t *status, void *tag)
{
    CLL_BSP(get_tag)(status, tag, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_move(void *payload, bsp_size_t nbytes)
{
    CLL_BSP(move)(payload, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION bsp_size_t bsp_hpmove(void **tag, void **payload)
{
    return CLL_BSP(hpmove)(tag, payload, NULL, 0);
}

#ifndef BSP_NO_LEVEL1
CLL_BSP_FUNCTION void bsp_bcast(bsp_pid_t root, const void *source, void *destination,
                                bsp_size_t nbytes)
{
    CLL_BSP(bcast)(root, source, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_gather(bsp_pid_t root, const void *source, void *destination,
                                 bsp_size_t nbytes)
{
    CLL_BSP(gather)(root, source, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_scatter(bsp_pid_t root, const void *source, void *destination,
                                  bsp_size_t nbytes)
{
    CLL_BSP(scatter)(root, source, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_fold(cll_bsp_operator op, const void *source, void *destination,
                               bsp_size_t nbytes)
{
    CLL_BSP(fold)(op, source, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION void bsp_scan(cll_bsp_operator op, const void *source, void *destination,
                               bsp_size_t nbytes)
{
    CLL_BSP(scan)(op, source, destination, nbytes, NULL, 0);
}
CLL_BSP_FUNCTION int bsp_all(int condition) { return cll_bsp_all(condition, NULL, 0); }
CLL_BSP_FUNCTION int bsp_any(int condition) { return cll_bsp_any(condition, NULL, 0); }
CLL_BSP_FUNCTION double bsp_s(void) { return cll_bsp_s(NULL, 0); }
CLL_BSP_FUNCTION double bsp_l(void) { return cll_bsp_l(NULL, 0); }
CLL_BSP_FUNCTION double bsp_g(void) { return cll_bsp_g(NULL, 0); }
CLL_BSP_FUNCTION double bsp_nhalf(void) { return cll_bsp_nhalf(NULL, 0); }
#endif

/* The macros: with the place in the source. Their arguments may have commas within braces. */
#define CLL_BSP_HERE __FILE__, __LINE__
/* A call that ends a superstep remains a call even as a function's last statement: a compiler that
 * makes it a jump would remove the function from the stack, and logs would not contain it. */
#ifdef __GNUC__
#define CLL_BSP_ENDING(...) __extension__({ __VA_ARGS__; __asm__ __volatile__(""); })
#else
#define CLL_BSP_ENDING(...) __VA_ARGS__
#endif
/* A pointer to the other type of sizes, about which C compilers may only warn. */
#ifdef BSP_SIZE_T
#define CLL_BSP_OTHER_SIZE int
#define CLL_BSP_OTHER_NAME leave_out_BSP_SIZE_T
#define CLL_BSP_OTHER_SAYS "int where this program has size_t: leave out BSP_SIZE_T (with mcbsp.h: -DMCBSP_COMPATIBILITY_MODE)"
#else
#define CLL_BSP_OTHER_SIZE size_t
#define CLL_BSP_OTHER_NAME compile_with_BSP_SIZE_T
#define CLL_BSP_OTHER_SAYS "size_t where bsp.h has int: compile with -DBSP_SIZE_T, as programs for MulticoreBSP need it"
#endif
#ifdef __cplusplus
#if defined(__clang__) || __GNUC__ >= 12
#define CLL_BSP_REFUSED __attribute__((__unavailable__(CLL_BSP_OTHER_SAYS)))
#else
#define CLL_BSP_REFUSED __attribute__((__error__(CLL_BSP_OTHER_SAYS)))
#endif
#define CLL_BSP_FITS(...) ((void)0)
#define CLL_BSP_SECOND_FITS(...) ((void)0)
#else
#define CLL_BSP_IS_OTHER(pointer) \
    __builtin_types_compatible_p(__typeof__(pointer), CLL_BSP_OTHER_SIZE *)
#if defined(__STRICT_ANSI__) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#define CLL_BSP_REFUSE(pointer) char CLL_BSP_OTHER_NAME[CLL_BSP_IS_OTHER(pointer) ? -1 : 1]
#else
#define CLL_BSP_REFUSE(pointer)                                   \
    _Static_assert(!CLL_BSP_IS_OTHER(pointer), CLL_BSP_OTHER_SAYS); \
    int fits
#endif
#define CLL_BSP_FITS(pointer, ...) \
    ((void)__extension__ sizeof(struct { CLL_BSP_REFUSE(pointer); }))
#define CLL_BSP_SECOND_FITS(first, second, ...) CLL_BSP_FITS(second, )
#endif
#define bsp_init(...) cll_bsp_init(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_begin(...) CLL_BSP(begin)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_end() cll_bsp_end(CLL_BSP_HERE)
#define bsp_pid() CLL_BSP(pid)(CLL_BSP_HERE)
#define bsp_time() cll_bsp_time(CLL_BSP_HERE)
#define bsp_sync() CLL_BSP_ENDING(cll_bsp_sync(CLL_BSP_HERE))
#define bsp_push_reg(...) CLL_BSP(push_reg)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_pushregister(...) CLL_BSP(push_reg)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_pop_reg(...) cll_bsp_pop_reg(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_popregister(...) cll_bsp_pop_reg(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_put(...) CLL_BSP(put)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_get(...) CLL_BSP(get)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_hpput(...) CLL_BSP(hpput)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_hpget(...) CLL_BSP(hpget)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_direct_get(...) CLL_BSP(direct_get)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_set_tagsize(...) \
    (CLL_BSP_FITS(__VA_ARGS__, ), CLL_BSP(set_tagsize)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_set_tag_size(...) bsp_set_tagsize(__VA_ARGS__)
#define bsp_send(...) CLL_BSP(send)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_hpsend(...) CLL_BSP(hpsend)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_qsize(...) \
    (CLL_BSP_SECOND_FITS(__VA_ARGS__, , ), CLL_BSP(qsize)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_get_tag(...) \
    (CLL_BSP_FITS(__VA_ARGS__, ), CLL_BSP(get_tag)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_move(...) CLL_BSP(move)(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_hpmove(...) CLL_BSP(hpmove)(__VA_ARGS__, CLL_BSP_HERE)
#ifndef BSP_NO_LEVEL1
#define bsp_bcast(...) CLL_BSP_ENDING(CLL_BSP(bcast)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_gather(...) CLL_BSP_ENDING(CLL_BSP(gather)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_scatter(...) CLL_BSP_ENDING(CLL_BSP(scatter)(__VA_ARGS__, CLL_BSP_HERE))
#define bsp_fold(op, ...) \
    CLL_BSP_ENDING(CLL_BSP(fold)(CLL_BSP_OPERATOR(op), __VA_ARGS__, CLL_BSP_HERE))
#define bsp_scan(op, ...) \
    CLL_BSP_ENDING(CLL_BSP(scan)(CLL_BSP_OPERATOR(op), __VA_ARGS__, CLL_BSP_HERE))
#define bsp_all(...) cll_bsp_all(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_any(...) cll_bsp_any(__VA_ARGS__, CLL_BSP_HERE)
#define bsp_s() cll_bsp_s(CLL_BSP_HERE)
#define bsp_l() cll_bsp_l(CLL_BSP_HERE)
#define bsp_g() cll_bsp_g(CLL_BSP_HERE)
#define bsp_nhalf() cll_bsp_nhalf(CLL_BSP_HERE)
#endif

#endif /* CLL_BSP_PLAIN */

/* Marks the program as a BSP program, in the section where translated sources describe their
 * experiments. */
#ifdef __ELF__
#if defined(__has_attribute)
#if __has_attribute(retain)
#define CLL_BSP_KEPT __used__, __retain__
#endif
#endif
#ifndef CLL_BSP_KEPT
#define CLL_BSP_KEPT __used__
#endif
static const char cll_bsp_model[]
    __attribute__((CLL_BSP_KEPT, __section__(".cll.model"), __aligned__(1))) =
    "CLLMODEL 1 {\"file\":\"bsp.h\",\"model\":\"BSP\",\"places\":[],\"interface\":2}";
#endif

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && !defined(CLL_BSP_PLAIN)
/* Also if the file is included within extern "C". */
extern "C++" {
/* Templates, so that NULL selects the functions above. */
template <class Line>
void CLL_BSP(set_tagsize)(CLL_BSP_OTHER_SIZE *nbytes, const char *file, Line line) CLL_BSP_REFUSED;
template <class Line>
void CLL_BSP(get_tag)(CLL_BSP_OTHER_SIZE *status, void *tag, const char *file, Line line)
    CLL_BSP_REFUSED;
template <class Count, class Line>
void CLL_BSP(qsize)(Count *nmessages, CLL_BSP_OTHER_SIZE *nbytes, const char *file, Line line)
    CLL_BSP_REFUSED;
}
#endif

#if !defined(BSP_NO_LEVEL1) && !defined(CLL_BSP_PLAIN)
/* An operator may have pointers of any type. */
#ifdef __cplusplus
extern "C++" {
template <class Operator> inline cll_bsp_operator cll_bsp_as_operator(Operator op)
{
    return reinterpret_cast<cll_bsp_operator>(op);
}
}
#define CLL_BSP_OPERATOR(op) cll_bsp_as_operator(op)
#else
#define CLL_BSP_OPERATOR(op) ((cll_bsp_operator)(void (*)(void))(op))
#endif
#endif

#endif /* CLL_BSP_H */
