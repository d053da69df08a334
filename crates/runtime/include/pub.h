/*
 * pub.h: machine objects, as in the Paderborn University BSP library (PUB).
 *
 * A machine object (t_bsp) is a set of processors, numbered from 0, that compute in supersteps of
 * their own. bsplib_init makes the machine of all processors; bsp_partition divides a machine into
 * parts, each a machine of its own, to any depth, and bsp_done leaves a part. Neither communicates:
 * processors enter and leave at different times, and may be in different supersteps. What one
 * sends carries its machine and superstep, and waits where its receiver has not come there yet.
 *
 * A superstep is local computation and requests (send, put, get). It ends in one of two ways,
 * which must be the same on all processors of the machine:
 *
 *     bsp_sync       a barrier of the machine's processors;
 *     bsp_oblsync    each goes on as soon as as many messages have come as it expects: no barrier,
 *                    no message besides the program's. All of them have the same number of
 *                    supersteps.
 *
 * Messages can be read in the machine's next superstep, by sender, then in the order in which they
 * were sent. For the machine that was divided, all between bsp_partition and bsp_done is
 * computation of one of its supersteps.
 *
 * COST. A superstep that ends in bsp_sync takes w + h*g + l: w the longest local computation, h the
 * most bytes that any processor sends or receives, g the time per byte, l that of the barrier. One
 * that ends in bsp_oblsync ends on each processor at its own time: that of the latest of those
 * that send to it, and h*g. Below, `sends n` and `receives n` say what a call adds to h.
 *
 * ERRORS. What a comment calls an error ends all processors, with a message on standard error that
 * names the processor, the call, its file and line; the exit status is 1. Nothing returns an error
 * code. Every call but bsplib_saveargs and bsplib_init has these errors, too: before bsplib_init or
 * after bsplib_done; NULL for the machine; a machine that is not open here: one that bsp_done has
 * closed, a t_bsp that was never filled. Where all processors of the program wait for each other and
 * nothing moves for 10 seconds (CLL_DEADLOCK in the environment: another number of seconds; 0:
 * for ever), that is an error, and its message says where each of them stands.
 *
 * The library of Paderborn is no more, and its manual could not be had. Names, arguments and
 * meaning are those of programs and papers that use it; where these leave something open, it is
 * said here. What is marked EXTENSION is ours.
 *
 * Compile and link by `cll cc`, or by the flags of `pkg-config cll`. With `cll cc -pub` the
 * name bsp.h, too, means this file. C99 and later, C++98 and later, gcc and clang. The names are
 * BSPlib's, with other arguments: one source file cannot include both this and bsp.h, and a program
 * uses one of the two. With BSP_NO_COLLECTIVES defined the names of the last part are left to the
 * program.
 *
 * The calls are macros, which hand on __FILE__ and __LINE__, before functions of the same names,
 * so that &bsp_send is the address of one. They are for one thread of each processor.
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

/* A machine object. Its fields are the library's. It may be copied; all copies are one object. */
typedef struct cll_pub_machine {
    unsigned long long cll_id;
    unsigned int cll_level, cll_pid, cll_nprocs, cll_none;
} t_bsp;

/* A message. */
typedef struct cll_pub_message t_bspmsg;

/* What bsplib_init could be told. There is nothing to tell. */
typedef struct cll_pub_params t_bsplib_params;
#define BSPLIB_STDPARAMS ((const t_bsplib_params *)NULL)

#define CLL_PUB_FUNCTION static __inline__ __attribute__((__unused__))
#define CLL_PUB_ENDS __attribute__((__noreturn__))
/* An area need not have a value when it is registered: no warning that it has none. */
#if !defined(__clang__) && __GNUC__ >= 11
#define CLL_PUB_NAMES __attribute__((__access__(__none__, 2)))
#else
#define CLL_PUB_NAMES
#endif
#define CLL_PUB_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))

/* ------------------------------ Start and stop ------------------------------ */

/* The arguments of main, to be handed on before bsplib_init. All processors have them anyway. */
CLL_PUB_FUNCTION void bsplib_saveargs(int *argc, char ***argv);

/* Starts the processors, and fills `bsp` with the machine of all of them: as many as CLL_NPROCS in
 * the environment says (which `cll run -n` sets), else as the program may use processor cores.
 * Under `cll run` every processor runs main from its beginning; without it they begin here, and have
 * copies of the caller's variables as they are now (CLL_START=exec: as under `cll run`). Each is
 * a process: what one writes in a variable, the others do not see. Standard input is processor
 * 0's.
 * Error: a second call; threads of the program that run already, if the processors begin here.
 * Cost: some ms, once. */
CLL_PUB_FUNCTION void bsplib_init(const t_bsplib_params *params, t_bsp *bsp);

/* Ends all machines, when all processors have come to it. The program goes on on all of them, and
 * each process has an exit status of its own; that of processor 0's, which ends last, is that of the
 * first other one that was not 0, unless its own is not 0 itself. What was sent since the last
 * synchronisation is lost.
 * Error: a part that bsp_done has not closed; another processor in bsp_sync or bsp_oblsync of the
 * machine of all. The program's end without bsplib_done is one, too. */
CLL_PUB_FUNCTION void bsplib_done(void);

/* EXTENSION. Prints on standard error as printf does, and ends all processors with exit status 1.
 * Any processor may call it, at any time, alone; `bsp` may be NULL. */
CLL_PUB_ENDS CLL_PUB_PRINTS(2, 3) void cll_pub_abort(t_bsp *bsp, const char *format, ...);
#define bsp_abort cll_pub_abort

/* --------------------------------- Enquiry ---------------------------------- */

/* How many processors the machine has, and the caller's number in it, from 0: also while a part of
 * it is open.
 * Cost: local. */
CLL_PUB_FUNCTION int bsp_nprocs(t_bsp *bsp);
CLL_PUB_FUNCTION int bsp_pid(t_bsp *bsp);

/* Seconds since bsplib_init, by the caller's own clock, which does not jump; those of two processors
 * need not agree. The argument may be left out. On virtual processors (docs/virtual.md) it is their time. */
CLL_PUB_FUNCTION double bsp_time(t_bsp *bsp);

/* --------------------------------- Partition -------------------------------- */

/* Divides `bsp` into `nr` parts and fills `sub` with the caller's. `bounds` ascend, the last one is
 * bsp_nprocs(bsp): part 0 has the processors below bounds[0], part i those from bounds[i-1] to below
 * bounds[i], numbered from 0 in the same order. A part may be empty. All processors of `bsp` call
 * it with the same bounds, at any time. Until bsp_done(sub), `bsp` can be asked for its number
 * and processors, but not be used to communicate, to synchronise or to make other parts.
 * Error: nr below 1; bounds that descend; another last bound; a part of `bsp` that is open already;
 * as far as it is noticed, different bounds.
 * Cost: local, some 10 ns, whatever the number of processors. */
CLL_PUB_FUNCTION void bsp_partition(t_bsp *bsp, t_bsp *sub, int nr, int *bounds);

/* Leaves the part that was made last. Its messages can no longer be read; what was sent in it since
 * its last synchronisation is lost.
 * Error: a machine that is not the one made last, or not made by bsp_partition; a processor that
 * is in a later superstep of it, or in bsp_sync; more messages than a bsp_oblsync of it announced.
 * Cost: local, as bsp_partition. */
CLL_PUB_FUNCTION void bsp_done(t_bsp *sub);

/* ------------------------------ Synchronisation ----------------------------- */

/* Ends the machine's superstep when all its processors have come to it: what they sent, put and got
 * in it has come. The order, if it matters: gets read, then what they read is written, then all puts
 * are written, by processor, then in the order of the calls; then registrations come into force.
 * Error: a part of it that is open; another processor that ends this superstep by bsp_oblsync, or is
 * in bsplib_done; processors that differ in the number or order of their bsp_push_reg or
 * bsp_pop_reg, or in what they pop.
 * Cost: h*g + l. */
CLL_PUB_FUNCTION void bsp_sync(t_bsp *bsp);

/* Ends the machine's superstep as soon as `nmsgs` messages of it (bsp_send, bsp_hpsend) have come to
 * the caller, who waits for nobody else. Every processor of the machine calls it, each with its own
 * number, also with 0.
 * Error: a part that is open; a negative number; more messages than that, which is found here, or at
 * the latest at the machine's next synchronisation or bsp_done; registrations, puts, gets or
 * collective calls in this superstep; another processor that ends it by bsp_sync.
 * Cost: h*g, and the wait for those that send. */
CLL_PUB_FUNCTION void bsp_oblsync(t_bsp *bsp, int nmsgs);

/* --------------------------------- Messages --------------------------------- */

/* Sends a copy of the `nbytes` at `data` to processor `pid` of the machine. `data` may be NULL if
 * nbytes is 0: also then it is a message and is counted.
 * Error: a part of the machine that is open; a processor that does not exist; a negative size; NULL
 * for what has bytes.
 * Cost: a copy; sends nbytes, processor pid receives them. */
CLL_PUB_FUNCTION void bsp_send(t_bsp *bsp, int pid, const void *data, int nbytes);

/* The same, perhaps without a copy: the bytes must not be changed before the machine's next
 * synchronisation returns.
 * Cost: as bsp_send, with one copy less where the engine can. */
CLL_PUB_FUNCTION void bsp_hpsend(t_bsp *bsp, int pid, const void *data, int nbytes);

/* How many messages the machine's last synchronisation has delivered to the caller.
 * Cost: local, as all that follow here. */
CLL_PUB_FUNCTION int bsp_nmsgs(t_bsp *bsp);

/* The message number `index`, from 0. Reading takes nothing away.
 * Error: an index that there is not. */
CLL_PUB_FUNCTION t_bspmsg *bsp_getmsg(t_bsp *bsp, int index);

/* The message number `index`, from 0, among those of processor `pid` of the machine; NULL if there
 * are not so many.
 * Error: a processor that does not exist; a negative index. */
CLL_PUB_FUNCTION t_bspmsg *bsp_findmsg(t_bsp *bsp, int pid, int index);

/* A message's bytes, their number, and its sender's number in the machine. The bytes lie in the
 * library's memory, aligned to 16; the program may change them. All of it is valid until the next
 * synchronisation of the same machine, or its bsp_done; what other machines do meanwhile does not
 * matter.
 * Error: NULL. */
CLL_PUB_FUNCTION void *bspmsg_data(t_bspmsg *message);
CLL_PUB_FUNCTION int bspmsg_size(t_bspmsg *message);
CLL_PUB_FUNCTION int bspmsg_src(t_bspmsg *message);

/* ------------------------- Access to remote memory -------------------------- */

/* As in BSPlib, with the machine before the other arguments and processors numbered as in it.
 * A superstep with any of these ends in bsp_sync. */

/* Registers the `nbytes` bytes at `address` for access by the machine's other processors, from its
 * next superstep on, until bsp_pop_reg or bsp_done. All processors call it, in the same order: the
 * k-th calls of a superstep belong together, and make the address on one processor the name of the
 * areas on all. Sizes may differ. With size 0 an address is a name alone; NULL with size 0: this
 * processor takes no part. Of several registrations of an address the latest counts.
 * Error: a part that is open; a negative size; NULL with another size than 0. */
CLL_PUB_FUNCTION void bsp_push_reg(t_bsp *bsp, const void *address, int nbytes);

/* Removes the latest registration of `address` at the end of the superstep; all processors together,
 * in the same order. A processor that registered NULL removes NULL.
 * Error: a part that is open; an address that is not registered; at the bsp_sync: processors that
 * remove different registrations. */
CLL_PUB_FUNCTION void bsp_pop_reg(t_bsp *bsp, const void *address);

/* In all four `nbytes` 0 does nothing, whatever the other arguments are; `offset` belongs to the
 * remote area and counts bytes from its beginning.
 * Error: a part that is open; a processor that does not exist; a negative offset or size; an area
 * whose address was not registered by this processor, or in this superstep only; a processor that
 * takes no part in that registration; more than its area has; NULL for the local side. */

/* Copies `nbytes` from `source`, as it is at the call, to `offset` in the area that is registered as
 * `destination`, on processor `pid`, at the end of the superstep.
 * Cost: a copy of nbytes; sends nbytes, processor pid receives them. */
CLL_PUB_FUNCTION void bsp_put(t_bsp *bsp, int pid, const void *source, void *destination, int offset,
                              int nbytes);

/* Copies `nbytes` from `offset` in the area that is registered as `source`, on processor `pid`, to
 * `destination`, at the end of the superstep and as they are then.
 * Cost: receives nbytes, processor pid sends them. */
CLL_PUB_FUNCTION void bsp_get(t_bsp *bsp, int pid, const void *source, int offset, void *destination,
                              int nbytes);

/* The same, but the bytes may move at any time between the call and the end of the superstep: until
 * then the source must not be written, the destination be neither read nor written. */
CLL_PUB_FUNCTION void bsp_hpput(t_bsp *bsp, int pid, const void *source, void *destination,
                                int offset, int nbytes);
CLL_PUB_FUNCTION void bsp_hpget(t_bsp *bsp, int pid, const void *source, int offset,
                                void *destination, int nbytes);

/* ------------------------- EXTENSION: collective calls ---------------------- */

#ifndef BSP_NO_COLLECTIVES

/* PUB had calls for groups; their names and arguments are not known, and these are ours. All
 * processors of the machine call them, with the same root, operator and size. Each ends the
 * superstep as bsp_sync does: messages sent before it can be read after it. Nothing needs to be
 * registered. Source and destination may be the same. With `nbytes` 0 it is a bsp_sync.
 * Error: as bsp_sync; a root that does not exist; a negative size; NULL for what has bytes;
 * processors that call different ones or with other arguments. */

/* Processor root's `nbytes` at `source` are copied to `destination` on every processor.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_bcast(t_bsp *bsp, int root, const void *source, void *destination,
                                int nbytes);

/* The `nbytes` of each processor are copied to `destination` on root, one after the other by
 * processor: it has p*nbytes there.
 * Cost: (p-1)*nbytes*g + l. */
CLL_PUB_FUNCTION void bsp_gather(t_bsp *bsp, int root, const void *source, void *destination,
                                 int nbytes);

/* The other way round: processor i gets the i-th part of the p*nbytes at `source` on root.
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

/* Combines two values: op(result, left, right, &nbytes), where *result, which is neither of the
 * others, becomes left op right, nbytes each. It is to be associative; it need not be
 * commutative, since what comes from lower processors is always on the left. */
typedef void (*cll_pub_operator)(void *result, void *left, void *right, int *nbytes);

/* x0 op x1 op ... op x(p-1), to `destination` on every processor, xi being the `nbytes` at `source`
 * on processor i. Any function may be given whose four parameters are pointers.
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
/* For generated code: a barrier of the machine's processors, which ends no superstep. */
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

/* The macros: with the place. Their arguments may have commas within braces. */
#define CLL_PUB_HERE __FILE__, __LINE__
/* A call that ends a superstep stays one where it is a function's last: a compiler that makes it a jump
 * would take the function off the stack, and logs would not know it. */
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

/* The program says that it is one of PUB, in the section where translated sources tell of their
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
/* An operator may have pointers to any type. */
#ifdef __cplusplus
/* Also where the file is included within extern "C". */
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
