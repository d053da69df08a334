/*
 * pub.h: machine objects, as in the Paderborn University BSP library (PUB).
 *
 * A machine object (t_bsp) is a set of processors, numbered from 0, that compute in their own
 * supersteps. bsplib_init creates the machine of all processors; bsp_partition divides a machine
 * into parts, each a machine itself, to any depth; bsp_done leaves a part. Neither communicates:
 * processors enter and leave at different times, and may be in different supersteps. Everything
 * that is sent carries its machine and superstep, and waits until its receiver has reached them.
 *
 * A superstep is local computation and requests (send, put, get). It ends in one of two ways,
 * which must be the same on all processors of the machine:
 *
 *     bsp_sync       a barrier of the machine's processors;
 *     bsp_oblsync    each continues as soon as the number of messages that it expects has
 *                    arrived: without a barrier, and without other messages than the program's.
 *                    All of them have the same number of supersteps.
 *
 * Messages can be read in the machine's next superstep, by sender, then in the order in which they
 * were sent. For the machine that was divided, everything between bsp_partition and bsp_done is
 * computation of one of its supersteps.
 *
 * COST. A superstep that ends in bsp_sync takes w + h*g + l: w is the longest local computation, h
 * the largest number of bytes that any processor sends or receives, g the time per byte, l the
 * time of the barrier. A superstep that ends in bsp_oblsync ends on each processor at its own
 * time: that of the latest of its senders, plus h*g. Below, `sends n` and `receives n` say what a
 * call adds to h.
 *
 * ERRORS. Each error that a comment names ends all processors, with a message on standard error
 * that names the processor, the call, its file and line. The exit status is 1. No function returns
 * an error code. Every call but bsplib_saveargs and bsplib_init also has these errors: a call
 * before bsplib_init or after bsplib_done; NULL for the machine; a machine that is not open here:
 * one that bsp_done has closed, or a t_bsp that was never filled. If all processors of the program
 * wait for each other and nothing changes for 10 seconds (CLL_DEADLOCK in the environment: another
 * number of seconds; 0: no limit), that is an error, too; its message names the place of each of
 * them.
 *
 * The library of Paderborn does not exist any more, and its manual could not be obtained. Names,
 * arguments and meaning are those of programs and papers that use it; what these leave open is
 * defined here. EXTENSION marks what is not in PUB.
 *
 * Compile and link with `cll cc`, or with the flags of `pkg-config cll`. With `cll cc -pub` the
 * name bsp.h also means this file. C99 and later, C++98 and later, gcc and clang. The names are
 * BSPlib's, with other arguments: one source file cannot include both this and bsp.h, and a
 * program uses one of the two. With BSP_NO_COLLECTIVES defined the program may use the names of
 * the last part itself.
 *
 * The calls are macros, which pass __FILE__ and __LINE__. There are also functions of the same
 * names, so &bsp_send is the address of one. One thread of each processor may call them.
 */
#ifndef CLL_PUB_H
#define CLL_PUB_H

#ifdef CLL_BSP_H
#error "pub.h after bsp.h: both have the same names; a source file can include one of them"
#endif
#ifndef __GNUC__
#error "pub.h needs gcc or clang, or a compiler that understands their extensions"
#endif

#include <stddef.h>
#include <stdio.h> /* programs rely on it */

#ifdef __cplusplus
extern "C" {
#endif

/* A machine object. Its fields belong to the library. It may be copied; all copies mean the same
   object. */
typedef struct cll_pub_machine {
    unsigned long long cll_id;
    unsigned int cll_level, cll_pid, cll_nprocs, cll_none;
} t_bsp;

/* A message. */
typedef struct cll_pub_message t_bspmsg;

/* Parameters of bsplib_init. There are none. */
typedef struct cll_pub_params t_bsplib_params;
#define BSPLIB_STDPARAMS ((const t_bsplib_params *)NULL)

#define CLL_PUB_FUNCTION static __inline__ __attribute__((__unused__))
#define CLL_PUB_ENDS __attribute__((__noreturn__))
/* An area need not be initialised when it is registered: no warning about that. */
#if !defined(__clang__) && __GNUC__ >= 11
#define CLL_PUB_NAMES __attribute__((__access__(__none__, 2)))
#else
#define CLL_PUB_NAMES
#endif
#define CLL_PUB_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))

/* ------------------------------ Start and stop ------------------------------ */

/* Passes the arguments of main, before bsplib_init. It is not necessary: all processors have them. */
CLL_PUB_FUNCTION void bsplib_saveargs(int *argc, char ***argv);

/* Starts the processors, and fills `bsp` with the machine of all of them: as many as CLL_NPROCS in
 * the environment says (`cll run -n` sets it), otherwise as many as the program may use processor
 * cores. Under `cll run` every processor runs main from its beginning; otherwise they begin here,
 * with copies of the caller's variables (CLL_START=exec: as under `cll run`). Each is a process:
 * what one writes to a variable is not visible to the others. Standard input belongs to processor
 * 0.
 * Error: a second call; the program already has other threads, if the processors begin here.
 * Cost: some ms, once. */
CLL_PUB_FUNCTION void bsplib_init(const t_bsplib_params *params, t_bsp *bsp);

/* Ends all machines, when all processors have reached it. The program continues on all of them,
 * and each process has its own exit status. Processor 0 ends last; if its own status is 0, its
 * status becomes the first other one that was not 0. What was sent since the last synchronisation
 * is discarded.
 * Error: a part that bsp_done has not closed; another processor in bsp_sync or bsp_oblsync of the
 * machine of all. It is also an error if the program ends without bsplib_done. */
CLL_PUB_FUNCTION void bsplib_done(void);

/* EXTENSION. Prints on standard error like printf, and ends all processors with exit status 1. Any
 * processor may call it, at any time, alone; `bsp` may be NULL. */
CLL_PUB_ENDS CLL_PUB_PRINTS(2, 3) void cll_pub_abort(t_bsp *bsp, const char *format, ...);
#define bsp_abort cll_pub_abort

/* --------------------------------- Enquiry ---------------------------------- */

/* The number of processors of the machine, and the caller's number in it, from 0. Also valid while
 * a part of it is open.
 * Cost: local. */
CLL_PUB_FUNCTION int bsp_nprocs(t_bsp *bsp);
CLL_PUB_FUNCTION int bsp_pid(t_bsp *bsp);

/* Seconds since bsplib_init, by the caller's own clock, which never jumps; clocks of two
 * processors may differ. The argument may be left out. On virtual processors (docs/virtual.md) it
 * is their virtual time. */
CLL_PUB_FUNCTION double bsp_time(t_bsp *bsp);

/* --------------------------------- Partition -------------------------------- */

/* Divides `bsp` into `nr` parts and fills `sub` with the caller's part. `bounds` ascend, the last
 * one is bsp_nprocs(bsp): part 0 has the processors below bounds[0], part i those from bounds[i-1]
 * to below bounds[i], numbered from 0 in the same order. A part may be empty. All processors of
 * `bsp` call it with the same bounds, at any time. Until bsp_done(sub), bsp_nprocs and bsp_pid of
 * `bsp` are valid, but it cannot be used to communicate, to synchronise or to create other parts.
 * Error: nr below 1; bounds that descend; another last bound; a part of `bsp` that is already
 * open; different bounds, if the library notices them.
 * Cost: local, about 10 ns, whatever the number of processors. */
CLL_PUB_FUNCTION void bsp_partition(t_bsp *bsp, t_bsp *sub, int nr, int *bounds);

/* Leaves the part that was created last. Its messages can no longer be read; what was sent in it
 * since its last synchronisation is discarded.
 * Error: a machine that is not the one created last, or not created by bsp_partition; a processor
 * that is in a later superstep of it, or in bsp_sync; more messages than a bsp_oblsync of it
 * announced.
 * Cost: local, as bsp_partition. */
CLL_PUB_FUNCTION void bsp_done(t_bsp *sub);

/* ------------------------------ Synchronisation ----------------------------- */

/* Ends the machine's superstep when all its processors have reached it: what they sent, put and
 * got in it is complete. The order, if it matters: gets read, then what they read is written, then
 * all puts are written, by processor, then in the order of the calls; then registrations take
 * effect.
 * Error: a part of it that is open; another processor that ends this superstep with bsp_oblsync,
 * or is in bsplib_done; processors that differ in the number or order of their bsp_push_reg or
 * bsp_pop_reg, or in what they pop.
 * Cost: h*g + l. */
CLL_PUB_FUNCTION void bsp_sync(t_bsp *bsp);

/* Ends the machine's superstep as soon as `nmsgs` messages of it (bsp_send, bsp_hpsend) have
 * arrived at the caller, which waits for nothing else. Every processor of the machine calls it,
 * each with its own number, even if it is 0.
 * Error: a part that is open; a negative number; more messages than that, which is noticed here,
 * or at the latest at the machine's next synchronisation or bsp_done; registrations, puts, gets or
 * collective calls in this superstep; another processor that ends it with bsp_sync.
 * Cost: h*g, and the wait for the senders. */
CLL_PUB_FUNCTION void bsp_oblsync(t_bsp *bsp, int nmsgs);

/* --------------------------------- Messages --------------------------------- */

/* Sends a copy of the `nbytes` at `data` to processor `pid` of the machine. `data` may be NULL if
 * nbytes is 0: even then it is a message and is counted.
 * Error: a part of the machine that is open; a processor that does not exist; a negative size;
 * NULL for data that has bytes.
 * Cost: a copy; sends nbytes, processor pid receives them. */
CLL_PUB_FUNCTION void bsp_send(t_bsp *bsp, int pid, const void *data, int nbytes);

/* The same, possibly without a copy: the bytes must not be changed before the machine's next
 * synchronisation returns.
 * Cost: as bsp_send, with one copy less if the engine supports it. */
CLL_PUB_FUNCTION void bsp_hpsend(t_bsp *bsp, int pid, const void *data, int nbytes);

/* The number of messages that the machine's last synchronisation has delivered to the caller.
 * Cost: local, as for all calls below. */
CLL_PUB_FUNCTION int bsp_nmsgs(t_bsp *bsp);

/* The message number `index`, from 0. It can be read several times.
 * Error: an index that does not exist. */
CLL_PUB_FUNCTION t_bspmsg *bsp_getmsg(t_bsp *bsp, int index);

/* The message number `index`, from 0, among those of processor `pid` of the machine; NULL if there
 * are fewer messages.
 * Error: a processor that does not exist; a negative index. */
CLL_PUB_FUNCTION t_bspmsg *bsp_findmsg(t_bsp *bsp, int pid, int index);

/* A message's bytes, their number, and its sender's number in the machine. The bytes are in the
 * library's memory, aligned to 16; the program may change them. All of it is valid until the next
 * synchronisation of the same machine, or its bsp_done; calls on other machines do not matter.
 * Error: NULL. */
CLL_PUB_FUNCTION void *bspmsg_data(t_bspmsg *message);
CLL_PUB_FUNCTION int bspmsg_size(t_bspmsg *message);
CLL_PUB_FUNCTION int bspmsg_src(t_bspmsg *message);

/* ------------------------- Access to remote memory -------------------------- */

/* As in BSPlib, with the machine before the other arguments, and with the processor numbers of the
 * machine. A superstep with any of these ends in bsp_sync. */

/* Registers the `nbytes` bytes at `address` for access by the machine's other processors, from its
 * next superstep on, until bsp_pop_reg or bsp_done. All processors call it, in the same order: the
 * k-th calls of a superstep belong together, and make the address on one processor the name of the
 * areas on all. Sizes may differ. With size 0 the address is only a name; NULL with size 0: this
 * processor has no area. Of several registrations of an address the latest counts.
 * Error: a part that is open; a negative size; NULL with another size than 0. */
CLL_PUB_FUNCTION void bsp_push_reg(t_bsp *bsp, const void *address, int nbytes);

/* Removes the latest registration of `address` at the end of the superstep; all processors together,
 * in the same order. A processor that registered NULL removes NULL.
 * Error: a part that is open; an address that is not registered; at the bsp_sync: processors that
 * remove different registrations. */
CLL_PUB_FUNCTION void bsp_pop_reg(t_bsp *bsp, const void *address);

/* In all four calls: if `nbytes` is 0, the call does nothing, whatever the other arguments are.
 * `offset` belongs to the remote area and counts bytes from its beginning.
 * Error: a part that is open; a processor that does not exist; a negative offset or size; an area
 * whose address this processor has not registered, or only in this superstep; a processor without
 * an area in that registration; an access beyond the end of its area; NULL for the local side. */

/* Copies `nbytes` from `source`, with the values at the call, to `offset` in the area that is
 * registered as `destination` on processor `pid`, at the end of the superstep.
 * Cost: a copy of nbytes; sends nbytes, processor pid receives them. */
CLL_PUB_FUNCTION void bsp_put(t_bsp *bsp, int pid, const void *source, void *destination, int offset,
                              int nbytes);

/* Copies `nbytes` from `offset` in the area that is registered as `source` on processor `pid` to
 * `destination`, at the end of the superstep, with the values of that time.
 * Cost: receives nbytes, processor pid sends them. */
CLL_PUB_FUNCTION void bsp_get(t_bsp *bsp, int pid, const void *source, int offset, void *destination,
                              int nbytes);

/* The same, but the bytes may be transferred at any time between the call and the end of the
 * superstep. Until then nothing may write to the source, or read or write the destination. */
CLL_PUB_FUNCTION void bsp_hpput(t_bsp *bsp, int pid, const void *source, void *destination,
                                int offset, int nbytes);
CLL_PUB_FUNCTION void bsp_hpget(t_bsp *bsp, int pid, const void *source, int offset,
                                void *destination, int nbytes);

/* ------------------------- EXTENSION: collective calls ---------------------- */

#ifndef BSP_NO_COLLECTIVES

/* PUB had calls for groups, whose names and arguments are not known; these are ours. All
 * processors of the machine call them, with the same root, operator and size. Each ends the
 * superstep like bsp_sync: messages sent before it can be read after it. Nothing needs to be
 * registered. Source and destination may be the same. With `nbytes` 0 it is a bsp_sync.
 * Error: as bsp_sync; a root that does not exist; a negative size; NULL for a buffer that has
 * bytes; processors that make different calls, or with different arguments. */

/* Copies the `nbytes` at `source` on processor root to `destination` on every processor.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_bcast(t_bsp *bsp, int root, const void *source, void *destination,
                                int nbytes);

/* Copies the `nbytes` of each processor to `destination` on root, one after the other by
 * processor: it has p*nbytes there.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_gather(t_bsp *bsp, int root, const void *source, void *destination,
                                 int nbytes);

/* The reverse: processor i gets the i-th part of the p*nbytes at `source` on root.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_scatter(t_bsp *bsp, int root, const void *source, void *destination,
                                  int nbytes);

/* As bsp_gather, but to `destination` on every processor.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_allgather(t_bsp *bsp, const void *source, void *destination, int nbytes);

/* The j-th part of the p*nbytes at `source` on processor i becomes the i-th part of those at
 * `destination` on processor j.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_total_exchange(t_bsp *bsp, const void *source, void *destination,
                                         int nbytes);

/* Combines two values: op(result, left, right, &nbytes) computes *result = left op right, nbytes
 * each; result is different from both operands. It must be associative; it need not be
 * commutative, since values of processors with lower numbers are always on the left. */
typedef void (*cll_pub_operator)(void *result, void *left, void *right, int *nbytes);

/* x0 op x1 op ... op x(p-1), to `destination` on every processor; xi are the `nbytes` at `source`
 * on processor i. Any function whose four parameters are pointers is accepted.
 * Cost: (p-1)*nbytes*g + l, and p-1 times op. */
CLL_PUB_FUNCTION void bsp_reduce(t_bsp *bsp, cll_pub_operator op, const void *source,
                                 void *destination, int nbytes);

/* x0 op x1 op ... op xi, on processor i.
 * Cost: (p-1)*nbytes*g + l, and p-1 times op. */
CLL_PUB_FUNCTION void bsp_scan(t_bsp *bsp, cll_pub_operator op, const void *source,
                               void *destination, int nbytes);

#endif /* BSP_NO_COLLECTIVES */

/* ------------------------- What the compiler needs -------------------------- */

/* The library's functions. */
void cll_pub_saveargs(int *argc, char ***argv, const char *file, int line);
void cll_pub_init(const t_bsplib_params *params, t_bsp *bsp, const char *file, int line);
void cll_pub_finish(const char *file, int line);
int cll_pub_nprocs(t_bsp *bsp, const char *file, int line);
int cll_pub_pid(t_bsp *bsp, const char *file, int line);
/* For generated code: a barrier of the machine's processors, which does not end a superstep. */
void cll_pub_barrier(t_bsp *bsp);
double cll_pub_time(t_bsp *bsp, const char *file, int line);
void cll_pub_partition(t_bsp *bsp, t_bsp *sub, int nr, int *bounds, const char *file, int line);
void cll_pub_done(t_bsp *sub, const char *file, int line);
void cll_pub_sync(t_bsp *bsp, const char *file, int line);
void cll_pub_oblsync(t_bsp *bsp, int nmsgs, const char *file, int line);
void cll_pub_send(t_bsp *bsp, int pid, const void *data, int nbytes, const char *file, int line);
void cll_pub_hpsend(t_bsp *bsp, int pid, const void *data, int nbytes, const char *file, int line);
int cll_pub_nmsgs(t_bsp *bsp, const char *file, int line);
t_bspmsg *cll_pub_getmsg(t_bsp *bsp, int index, const char *file, int line);
t_bspmsg *cll_pub_findmsg(t_bsp *bsp, int pid, int index, const char *file, int line);
void *cll_pub_msg_data(t_bspmsg *message, const char *file, int line);
int cll_pub_msg_size(t_bspmsg *message, const char *file, int line);
int cll_pub_msg_src(t_bspmsg *message, const char *file, int line);
CLL_PUB_NAMES void cll_pub_push_reg(t_bsp *bsp, const void *address, int nbytes, const char *file,
                                    int line);
CLL_PUB_NAMES void cll_pub_pop_reg(t_bsp *bsp, const void *address, const char *file, int line);
void cll_pub_put(t_bsp *bsp, int pid, const void *source, void *destination, int offset, int nbytes,
                 const char *file, int line);
void cll_pub_get(t_bsp *bsp, int pid, const void *source, int offset, void *destination, int nbytes,
                 const char *file, int line);
void cll_pub_hpput(t_bsp *bsp, int pid, const void *source, void *destination, int offset,
                   int nbytes, const char *file, int line);
void cll_pub_hpget(t_bsp *bsp, int pid, const void *source, int offset, void *destination,
                   int nbytes, const char *file, int line);
#ifndef BSP_NO_COLLECTIVES
void cll_pub_bcast(t_bsp *bsp, int root, const void *source, void *destination, int nbytes,
                   const char *file, int line);
void cll_pub_gather(t_bsp *bsp, int root, const void *source, void *destination, int nbytes,
                    const char *file, int line);
void cll_pub_scatter(t_bsp *bsp, int root, const void *source, void *destination, int nbytes,
                     const char *file, int line);
void cll_pub_allgather(t_bsp *bsp, const void *source, void *destination, int nbytes,
                       const char *file, int line);
void cll_pub_total_exchange(t_bsp *bsp, const void *source, void *destination, int nbytes,
                            const char *file, int line);
void cll_pub_reduce(t_bsp *bsp, cll_pub_operator op, const void *source, void *destination,
                    int nbytes, const char *file, int line);
void cll_pub_scan(t_bsp *bsp, cll_pub_operator op, const void *source, void *destination,
                  int nbytes, const char *file, int line);
#endif

/* The functions: without a place in the source. */
CLL_PUB_FUNCTION void bsplib_saveargs(int *argc, char ***argv)
{
    cll_pub_saveargs(argc, argv, NULL, 0);
}
CLL_PUB_FUNCTION void bsplib_init(const t_bsplib_params *params, t_bsp *bsp)
{
    cll_pub_init(params, bsp, NULL, 0);
}
CLL_PUB_FUNCTION void bsplib_done(void)
{
    cll_pub_finish(NULL, 0);
}
CLL_PUB_FUNCTION int bsp_nprocs(t_bsp *bsp)
{
    return cll_pub_nprocs(bsp, NULL, 0);
}
CLL_PUB_FUNCTION int bsp_pid(t_bsp *bsp)
{
    return cll_pub_pid(bsp, NULL, 0);
}
CLL_PUB_FUNCTION double bsp_time(t_bsp *bsp)
{
    return cll_pub_time(bsp, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_partition(t_bsp *bsp, t_bsp *sub, int nr, int *bounds)
{
    cll_pub_partition(bsp, sub, nr, bounds, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_done(t_bsp *sub)
{
    cll_pub_done(sub, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_sync(t_bsp *bsp)
{
    cll_pub_sync(bsp, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_oblsync(t_bsp *bsp, int nmsgs)
{
    cll_pub_oblsync(bsp, nmsgs, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_send(t_bsp *bsp, int pid, const void *data, int nbytes)
{
    cll_pub_send(bsp, pid, data, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_hpsend(t_bsp *bsp, int pid, const void *data, int nbytes)
{
    cll_pub_hpsend(bsp, pid, data, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION int bsp_nmsgs(t_bsp *bsp)
{
    return cll_pub_nmsgs(bsp, NULL, 0);
}
CLL_PUB_FUNCTION t_bspmsg *bsp_getmsg(t_bsp *bsp, int index)
{
    return cll_pub_getmsg(bsp, index, NULL, 0);
}
CLL_PUB_FUNCTION t_bspmsg *bsp_findmsg(t_bsp *bsp, int pid, int index)
{
    return cll_pub_findmsg(bsp, pid, index, NULL, 0);
}
CLL_PUB_FUNCTION void *bspmsg_data(t_bspmsg *message)
{
    return cll_pub_msg_data(message, NULL, 0);
}
CLL_PUB_FUNCTION int bspmsg_size(t_bspmsg *message)
{
    return cll_pub_msg_size(message, NULL, 0);
}
CLL_PUB_FUNCTION int bspmsg_src(t_bspmsg *message)
{
    return cll_pub_msg_src(message, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_push_reg(t_bsp *bsp, const void *address, int nbytes)
{
    cll_pub_push_reg(bsp, address, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_pop_reg(t_bsp *bsp, const void *address)
{
    cll_pub_pop_reg(bsp, address, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_put(t_bsp *bsp, int pid, const void *source, void *destination,
                              int offset, int nbytes)
{
    cll_pub_put(bsp, pid, source, destination, offset, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_get(t_bsp *bsp, int pid, const void *source, int offset,
                              void *destination, int nbytes)
{
    cll_pub_get(bsp, pid, source, offset, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_hpput(t_bsp *bsp, int pid, const void *source, void *destination,
                                int offset, int nbytes)
{
    cll_pub_hpput(bsp, pid, source, destination, offset, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_hpget(t_bsp *bsp, int pid, const void *source, int offset,
                                void *destination, int nbytes)
{
    cll_pub_hpget(bsp, pid, source, offset, destination, nbytes, NULL, 0);
}
#ifndef BSP_NO_COLLECTIVES
CLL_PUB_FUNCTION void bsp_bcast(t_bsp *bsp, int root, const void *source, void *destination,
                                int nbytes)
{
    cll_pub_bcast(bsp, root, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_gather(t_bsp *bsp, int root, const void *source, void *destination,
                                 int nbytes)
{
    cll_pub_gather(bsp, root, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_scatter(t_bsp *bsp, int root, const void *source, void *destination,
                                  int nbytes)
{
    cll_pub_scatter(bsp, root, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_allgather(t_bsp *bsp, const void *source, void *destination, int nbytes)
{
    cll_pub_allgather(bsp, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_total_exchange(t_bsp *bsp, const void *source, void *destination,
                                         int nbytes)
{
    cll_pub_total_exchange(bsp, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_reduce(t_bsp *bsp, cll_pub_operator op, const void *source,
                                 void *destination, int nbytes)
{
    cll_pub_reduce(bsp, op, source, destination, nbytes, NULL, 0);
}
CLL_PUB_FUNCTION void bsp_scan(t_bsp *bsp, cll_pub_operator op, const void *source,
                               void *destination, int nbytes)
{
    cll_pub_scan(bsp, op, source, destination, nbytes, NULL, 0);
}
#endif

/* The macros: with the place in the source. Their arguments may have commas within braces. */
#define CLL_PUB_HERE __FILE__, __LINE__
/* A call that ends a superstep remains a call even as a function's last statement: a compiler that
 * makes it a jump would remove the function from the stack, and logs would not contain it. */
#ifdef __GNUC__
#define CLL_PUB_ENDING(...) __extension__({ __VA_ARGS__; __asm__ __volatile__(""); })
#else
#define CLL_PUB_ENDING(...) __VA_ARGS__
#endif
#define bsplib_saveargs(...) cll_pub_saveargs(__VA_ARGS__, CLL_PUB_HERE)
#define bsplib_init(...) cll_pub_init(__VA_ARGS__, CLL_PUB_HERE)
#define bsplib_done() cll_pub_finish(CLL_PUB_HERE)
#define bsp_nprocs(...) cll_pub_nprocs(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_pid(...) cll_pub_pid(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_time(...) cll_pub_time(NULL, CLL_PUB_HERE)
#define bsp_partition(...) cll_pub_partition(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_done(...) CLL_PUB_ENDING(cll_pub_done(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_sync(...) CLL_PUB_ENDING(cll_pub_sync(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_oblsync(...) CLL_PUB_ENDING(cll_pub_oblsync(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_send(...) cll_pub_send(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_hpsend(...) cll_pub_hpsend(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_nmsgs(...) cll_pub_nmsgs(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_getmsg(...) cll_pub_getmsg(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_findmsg(...) cll_pub_findmsg(__VA_ARGS__, CLL_PUB_HERE)
#define bspmsg_data(...) cll_pub_msg_data(__VA_ARGS__, CLL_PUB_HERE)
#define bspmsg_size(...) cll_pub_msg_size(__VA_ARGS__, CLL_PUB_HERE)
#define bspmsg_src(...) cll_pub_msg_src(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_push_reg(...) cll_pub_push_reg(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_pop_reg(...) cll_pub_pop_reg(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_put(...) cll_pub_put(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_get(...) cll_pub_get(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_hpput(...) cll_pub_hpput(__VA_ARGS__, CLL_PUB_HERE)
#define bsp_hpget(...) cll_pub_hpget(__VA_ARGS__, CLL_PUB_HERE)
#ifndef BSP_NO_COLLECTIVES
#define bsp_bcast(...) CLL_PUB_ENDING(cll_pub_bcast(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_gather(...) CLL_PUB_ENDING(cll_pub_gather(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_scatter(...) CLL_PUB_ENDING(cll_pub_scatter(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_allgather(...) CLL_PUB_ENDING(cll_pub_allgather(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_total_exchange(...) CLL_PUB_ENDING(cll_pub_total_exchange(__VA_ARGS__, CLL_PUB_HERE))
#define bsp_reduce(bsp, op, ...) \
    CLL_PUB_ENDING(cll_pub_reduce(bsp, CLL_PUB_OPERATOR(op), __VA_ARGS__, CLL_PUB_HERE))
#define bsp_scan(bsp, op, ...) \
    CLL_PUB_ENDING(cll_pub_scan(bsp, CLL_PUB_OPERATOR(op), __VA_ARGS__, CLL_PUB_HERE))
#endif

/* Marks the program as a PUB program, in the section where translated sources describe their
 * experiments. */
#ifdef __ELF__
#if defined(__has_attribute)
#if __has_attribute(retain)
#define CLL_PUB_KEPT __used__, __retain__
#endif
#endif
#ifndef CLL_PUB_KEPT
#define CLL_PUB_KEPT __used__
#endif
static const char cll_pub_model[]
    __attribute__((CLL_PUB_KEPT, __section__(".cll.model"), __aligned__(1))) =
    "CLLMODEL 1 {\"file\":\"pub.h\",\"model\":\"PUB\",\"places\":[],\"interface\":2}";
#endif

#ifdef __cplusplus
}
#endif

#ifndef BSP_NO_COLLECTIVES
/* An operator may have pointers of any type. */
#ifdef __cplusplus
/* Also if the file is included within extern "C". */
extern "C++" {
template <class Operator> inline cll_pub_operator cll_pub_as_operator(Operator op)
{
    return reinterpret_cast<cll_pub_operator>(op);
}
}
#define CLL_PUB_OPERATOR(op) cll_pub_as_operator(op)
#else
#define CLL_PUB_OPERATOR(op) ((cll_pub_operator)(void (*)(void))(op))
#endif
#endif

#endif /* CLL_PUB_H */
