/*
 * messages.c: counts the messages of an MPI program for `cll why`: of each place in the program, in each passage of an
 * experiment, how many of how many bytes. Linked beside accesses.c, whose header tells where experiments begin and end.
 *
 * CLL_MESSAGES_FOLDER is the folder where each process leaves a file, whose lines are
 *
 *     PLACE CALL CODE BYTES NUMBER PASSAGES VALUE...
 *
 * PLACE is the number of the experiment's place, CALL the name of the function, CODE the return address of the call from
 * the beginning of the program, PASSAGES of this place and these values; a VALUE is the bits of a double as a decimal number.
 * The bytes of a collective are those of one process: of all that it has for, or from, each other one.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_OPEN = 16, MAX_VALUES = 16, ROOM = 1 << 14, MAX_GROUPS = 1 << 12 };

extern char __executable_start;

/* Passages of a place with the same values. */
struct group {
    int place, values;
    unsigned long passages;
    double value[MAX_VALUES];
};

struct entry {
    struct group *group;
    const char *call;
    size_t code, bytes;
    unsigned long number;
};

static struct group groups[MAX_GROUPS], open[MAX_OPEN];
static struct group *of_open[MAX_OPEN];
static struct entry table[ROOM];
static unsigned groups_number, entries, depth;
static int is_new;
static time_t written;

static void leave(void)
{
    char name[4096], last[4096];
    unsigned k;
    int v;
    FILE *to;
    snprintf(name, sizeof name, "%s/%ld.new", CLL_MESSAGES_FOLDER, (long)getpid());
    snprintf(last, sizeof last, "%s/%ld.messages", CLL_MESSAGES_FOLDER, (long)getpid());
    to = fopen(name, "w");
    if (to == NULL)
        return;
    for (k = 0; k < ROOM; k++) {
        const struct entry *one = &table[k];
        if (one->number == 0)
            continue;
        fprintf(to, "%d %s %zu %zu %lu %lu", one->group->place, one->call, one->code, one->bytes, one->number,
                one->group->passages);
        for (v = 0; v < one->group->values; v++) {
            uint64_t bits;
            memcpy(&bits, &one->group->value[v], sizeof bits);
            fprintf(to, " %llu", (unsigned long long)bits);
        }
        fputc('\n', to);
    }
    if (fclose(to) == 0)
        rename(name, last);
    is_new = 0;
    written = time(NULL);
}

void cll_messages_begin(int place)
{
    if (depth < MAX_OPEN) {
        memset(&open[depth], 0, sizeof open[depth]);
        open[depth].place = place;
        of_open[depth] = NULL;
    }
    depth++;
}

void cll_messages_value(int index, double value)
{
    struct group *one;
    if (depth == 0 || depth > MAX_OPEN || index < 0 || index >= MAX_VALUES)
        return;
    one = &open[depth - 1];
    one->value[index] = value;
    if (one->values <= index)
        one->values = index + 1;
}

static struct group *group_of(unsigned at)
{
    const struct group *one = &open[at];
    unsigned k;
    if (of_open[at] != NULL)
        return of_open[at];
    for (k = groups_number; k-- > 0;) {
        struct group *known = &groups[k];
        if (known->place == one->place && known->values == one->values
            && memcmp(known->value, one->value, sizeof known->value) == 0)
            return of_open[at] = known;
    }
    if (groups_number == MAX_GROUPS)
        return NULL;
    groups[groups_number] = *one;
    return of_open[at] = &groups[groups_number++];
}

void cll_messages_end(int place)
{
    unsigned at = depth;
    /* Passages that a jump has left are dropped. */
    while (at > 0 && (at > MAX_OPEN || open[at - 1].place != place))
        at--;
    if (at == 0)
        return;
    {
        struct group *group = group_of(at - 1);
        if (group != NULL)
            group->passages++;
    }
    depth = at - 1;
    if (depth == 0 && is_new && time(NULL) > written)
        leave();
}

static void sent(const char *call, long long count, MPI_Datatype type, void *code)
{
    size_t place = (size_t)((char *)code - &__executable_start), bytes, at;
    int size = 0;
    unsigned k;
    if (depth == 0 || count < 0)
        return;
    PMPI_Type_size(type, &size);
    bytes = (size_t)size * (size_t)count;
    for (k = 0; k < depth && k < MAX_OPEN; k++) {
        struct group *group = group_of(k);
        if (group == NULL)
            continue;
        at = ((place * 31 + bytes) * 31 + (size_t)(group - groups)) * 0x9E3779B97F4A7C15u >> 40;
        for (;; at++) {
            struct entry *one = &table[at %= ROOM];
            if (one->number == 0) {
                /* Never full: then the search would not end. */
                if (entries >= ROOM / 2)
                    break;
                entries++;
                one->group = group;
                one->call = call;
                one->code = place;
                one->bytes = bytes;
            }
            if (one->group == group && one->code == place && one->bytes == bytes && strcmp(one->call, call) == 0) {
                one->number++;
                is_new = 1;
                break;
            }
        }
    }
}

#define HERE __builtin_return_address(0)

/* Without those that never are eager: Ssend and Issend. */
#define SENDS(name) \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) \
    { \
        if (to != MPI_PROC_NULL) \
            sent("MPI_" #name, n, t, HERE); \
        return PMPI_##name(b, n, t, to, tag, c); \
    }
#define ISENDS(name) \
    int MPI_##name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) \
    { \
        if (to != MPI_PROC_NULL) \
            sent("MPI_" #name, n, t, HERE); \
        return PMPI_##name(b, n, t, to, tag, c, r); \
    }
SENDS(Send)
SENDS(Bsend)
SENDS(Rsend)
ISENDS(Isend)
ISENDS(Ibsend)
ISENDS(Irsend)

int MPI_Sendrecv(const void *b, int n, MPI_Datatype t, int to, int tag, void *rb, int rn, MPI_Datatype rt, int from,
                 int rtag, MPI_Comm c, MPI_Status *s)
{
    if (to != MPI_PROC_NULL)
        sent("MPI_Sendrecv", n, t, HERE);
    return PMPI_Sendrecv(b, n, t, to, tag, rb, rn, rt, from, rtag, c, s);
}

int MPI_Sendrecv_replace(void *b, int n, MPI_Datatype t, int to, int tag, int from, int rtag, MPI_Comm c, MPI_Status *s)
{
    if (to != MPI_PROC_NULL)
        sent("MPI_Sendrecv_replace", n, t, HERE);
    return PMPI_Sendrecv_replace(b, n, t, to, tag, from, rtag, c, s);
}

int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    sent("MPI_Bcast", n, t, HERE);
    return PMPI_Bcast(b, n, t, root, c);
}

int MPI_Reduce(const void *b, void *r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c)
{
    sent("MPI_Reduce", n, t, HERE);
    return PMPI_Reduce(b, r, n, t, op, root, c);
}

int MPI_Allreduce(const void *b, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c)
{
    sent("MPI_Allreduce", n, t, HERE);
    return PMPI_Allreduce(b, r, n, t, op, c);
}

/* Where the data may be in place, the other side has the size. */
#define GATHERS(name, ...) \
    { \
        if (b != MPI_IN_PLACE) \
            sent("MPI_" #name, n, t, HERE); \
        else \
            sent("MPI_" #name, rn, rt, HERE); \
        return PMPI_##name(__VA_ARGS__); \
    }

int MPI_Gather(const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, int root, MPI_Comm c)
GATHERS(Gather, b, n, t, r, rn, rt, root, c)
int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, MPI_Comm c)
GATHERS(Allgather, b, n, t, r, rn, rt, c)
int MPI_Alltoall(const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, MPI_Comm c)
GATHERS(Alltoall, b, n, t, r, rn, rt, c)

int MPI_Scatter(const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, int root, MPI_Comm c)
{
    if (r != MPI_IN_PLACE)
        sent("MPI_Scatter", rn, rt, HERE);
    else
        sent("MPI_Scatter", n, t, HERE);
    return PMPI_Scatter(b, n, t, r, rn, rt, root, c);
}

static void __attribute__((destructor)) end(void)
{
    if (is_new)
        leave();
}
