/* Communicators: their numbers in this process, and their members; and types, whose size is remembered. */
#include "wrapper.h"

#include <stdlib.h>

unsigned cll_communicator_epoch, cll_type_epoch = 1;

/* By handle, in a list for each hash: entries do not move. */
#define HEADS 256
static struct entry {
    struct cll_communicator what;
    struct entry *next;
} *heads[HEADS];
static uint32_t ids;

static inline struct entry **head(uint64_t handle)
{
    return &heads[(handle ^ handle >> 32) * 0x9E3779B97F4A7C15u >> 56];
}

/* Ranks in MPI_COMM_WORLD of a group's members; the result must be freed, or is NULL. A process that is not in
   it is -1. */
static int *world_ranks(MPI_Group group, int size)
{
    MPI_Group world;
    int *from = malloc(2 * (size_t)(size > 0 ? size : 1) * sizeof *from), i;

    if (!from)
        return NULL;
    for (i = 0; i < size; i++)
        from[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, from, world, from + size);
    PMPI_Group_free(&world);
    for (i = 0; i < size; i++)
        from[i] = from[size + i] == MPI_UNDEFINED ? -1 : from[size + i];
    return from;
}

static void record(const struct cll_communicator *made, MPI_Comm communicator, int64_t parent, const char *by)
{
    int *ranks = NULL, *others = NULL;
    MPI_Group group;

    PMPI_Comm_group(communicator, &group);
    ranks = world_ranks(group, made->size);
    PMPI_Group_free(&group);
    if (made->is_inter) {
        PMPI_Comm_remote_group(communicator, &group);
        others = world_ranks(group, made->remote);
        PMPI_Group_free(&group);
    }
    cll_calls_communicator(made->id, parent, by, made->rank, ranks ? made->size : 0, ranks, others ? made->remote : 0,
                           others);
    free(ranks);
    free(others);
}

/* `like`: the communicator is not ready yet, and will have the members of this one. */
static struct cll_communicator *add(MPI_Comm communicator, MPI_Comm like, int64_t parent, const char *by)
{
    struct entry *entry = calloc(1, sizeof *entry);
    struct cll_communicator *made;

    if (!entry)
        return NULL;
    made = &entry->what;
    made->handle = CLL_KEY(communicator);
    PMPI_Comm_test_inter(like, &made->is_inter);
    PMPI_Comm_rank(like, &made->rank);
    PMPI_Comm_size(like, &made->size);
    if (made->is_inter)
        PMPI_Comm_remote_size(like, &made->remote);
    cll_lock();
    made->id = ids++;
    entry->next = *head(made->handle);
    *head(made->handle) = entry;
    cll_unlock();
    record(made, like, parent, by);
    return made;
}

const struct cll_communicator *cll_find_communicator(struct cll_lane *lane, MPI_Comm communicator)
{
    static const struct cll_communicator nowhere = {0, 0, 0, 1, 0, 0};
    uint64_t handle = CLL_KEY(communicator);
    const struct cll_communicator *found = NULL;
    unsigned epoch = __atomic_load_n(&cll_communicator_epoch, __ATOMIC_ACQUIRE);
    struct entry *entry;

    cll_lock();
    for (entry = *head(handle); entry && !found; entry = entry->next)
        if (entry->what.handle == handle)
            found = &entry->what;
    cll_unlock();
    /* MPI itself reports what is wrong with a call without a communicator. */
    if (!found && communicator == MPI_COMM_NULL)
        return &nowhere;
    if (!found)
        found = add(communicator, communicator, -1, communicator == MPI_COMM_WORLD ? "world" : "");
    if (!found)
        return &nowhere;
    lane->communicator = handle;
    lane->known = found;
    lane->epoch = epoch;
    return found;
}

/* Called before a communicator is freed: another thread may get its handle as soon as it is free. */
static struct entry *forget(uint64_t handle)
{
    struct entry **at, *gone = NULL;

    cll_lock();
    for (at = head(handle); *at && !gone; at = &(*at)->next)
        if ((*at)->what.handle == handle) {
            gone = *at;
            *at = gone->next;
            break;
        }
    cll_unlock();
    /* Threads that have cached it look it up again. */
    if (gone)
        __atomic_add_fetch(&cll_communicator_epoch, 1, __ATOMIC_RELEASE);
    return gone;
}

/* It was freed, or was not. With threads its memory is kept, as another thread may be reading it. */
static void forgotten(struct entry *gone, int is_freed)
{
    if (gone && !is_freed) {
        cll_lock();
        gone->next = *head(gone->what.handle);
        *head(gone->what.handle) = gone;
        cll_unlock();
    } else if (!cll_threaded)
        free(gone);
}

uint64_t cll_find_type(struct cll_lane *lane, MPI_Datatype type)
{
    uint64_t key = CLL_KEY(type);
    unsigned slot = (unsigned)(key * 0x9E3779B97F4A7C15u >> 59) % CLL_TYPES;
    unsigned epoch = __atomic_load_n(&cll_type_epoch, __ATOMIC_ACQUIRE);
    MPI_Count size = 0;

    if (lane->types_epoch != epoch) {
        memset(lane->types, 0, sizeof lane->types);
        lane->types_epoch = epoch;
    }
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    if (size <= INT32_MAX) {
        lane->types[slot].type = key;
        lane->types[slot].size = (int)size;
    }
    return (uint64_t)size;
}

/* The handle of a type that is freed may be given to another type. */
WRAP(Type_free, (MPI_Datatype *type))
{
    __atomic_add_fetch(&cll_type_epoch, 1, __ATOMIC_RELEASE);
    return real_Type_free(type);
}

#define MAKES(name, parameters, arguments, parent, made)                                                         \
    WRAP(name, parameters)                                                                                       \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        const struct cll_communicator *new = NULL;                                                               \
        uint32_t of;                                                                                             \
        uint64_t end;                                                                                            \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name arguments;                                                                        \
        HEAD(lane, name);                                                                                        \
        of = cll_comm(lane, parent)->id;                                                                         \
        cll_put(lane, of);                                                                                       \
        cll_begin(lane);                                                                                         \
        /* Not all processes of the communicator take part in that one. */                                       \
        if (__builtin_expect(cll_virtual, 0) && strcmp(#name, "Comm_create_group") != 0)                         \
            cll_meet(cll_comm(lane, parent));                                                                    \
        error = real_##name arguments;                                                                           \
        end = cll_ticks();                                                                                       \
        if (!error && made != MPI_COMM_NULL)                                                                     \
            new = add(made, made, of, #name);                                                                    \
        cll_return_new(lane, error, end, new ? new->id : 0, new != NULL);                                        \
        return error;                                                                                            \
    }

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), comm, *made)
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made), comm, *made)
MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made), comm, *made)
MAKES(Comm_split_type, (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made),
      (comm, kind, key, info, made), comm, *made)
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made), comm, *made)
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made), comm,
      *made)
MAKES(Cart_create,
      (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
      (comm, dimensions, sizes, periods, reorder, made), comm, *made)
MAKES(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made), comm, *made)
MAKES(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, nodes, index, edges, reorder, made), comm, *made)
MAKES(Dist_graph_create,
      (MPI_Comm comm, int n, const int nodes[], const int degrees[], const int targets[], const int weights[],
       MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n, nodes, degrees, targets, weights, info, reorder, made), comm, *made)
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int source_weights[], int out, const int destinations[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, in, sources, source_weights, out, destinations, weights, info, reorder, made), comm, *made)
MAKES(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm *made),
      (comm, leader, peers, remote, tag, made), comm, *made)
MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made), comm, *made)
MAKES(Comm_spawn,
      (const char *command, char *argv[], int processes, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
       int errors[]),
      (command, argv, processes, info, root, comm, made, errors), comm, *made)
MAKES(Comm_spawn_multiple,
      (int count, char *commands[], char **argvs[], const int processes[], const MPI_Info infos[], int root,
       MPI_Comm comm, MPI_Comm *made, int errors[]),
      (count, commands, argvs, processes, infos, root, comm, made, errors), comm, *made)
MAKES(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
      (port, info, root, comm, made), comm, *made)
MAKES(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
      (port, info, root, comm, made), comm, *made)

/* The result may be used when its request has completed; it has the members of the first. */
WRAP(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request))
{
    GUARDED(lane);
    const struct cll_communicator *new = NULL;
    uint64_t number, end;
    uint32_t of;
    int error;

    if (!lane)
        return real_Comm_idup(comm, made, request);
    HEAD(lane, Comm_idup);
    of = cll_comm(lane, comm)->id;
    cll_put(lane, of);
    cll_put_request(lane, number = cll_new_request());
    cll_begin(lane);
    error = real_Comm_idup(comm, made, request);
    end = cll_ticks();
    if (!error)
        new = add(*made, comm, of, "Comm_idup");
    cll_return_new(lane, error, end, new ? new->id : 0, new != NULL);
    if (!error)
        cll_add_request(*request, number, CLL_ACTIVE, 0, 0, 0);
    return error;
}

#define FREES(name)                                                                                              \
    WRAP(name, (MPI_Comm * comm))                                                                                \
    {                                                                                                            \
        GUARDED(lane);                                                                                           \
        struct entry *gone;                                                                                      \
        int error;                                                                                               \
        if (!lane)                                                                                               \
            return real_##name(comm);                                                                            \
        HEAD(lane, name);                                                                                        \
        cll_put(lane, cll_comm(lane, *comm)->id);                                                                \
        gone = forget(CLL_KEY(*comm));                                                                           \
        cll_begin(lane);                                                                                         \
        error = real_##name(comm);                                                                               \
        cll_return(lane, error);                                                                                 \
        forgotten(gone, !error);                                                                                 \
        return error;                                                                                            \
    }

FREES(Comm_free)
FREES(Comm_disconnect)
