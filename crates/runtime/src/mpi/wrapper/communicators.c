/* Communicators: their numbers in this process, and their members; and types, whose size is remembered. */
#include "wrapper.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

unsigned cll_communicator_epoch, cll_type_epoch = 1;

/* What the communicator that this thread makes next has in common with that of the processes it leads to, which are
   not in the same MPI_COMM_WORLD. */
static __thread char link_word[MPI_MAX_PORT_NAME + 64];

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
                           others, link_word);
    link_word[0] = 0;
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

void cll_found_parent(MPI_Comm parent)
{
    cll_calls_started_by(link_word, sizeof link_word);
    add(parent, parent, -1, "parent");
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

#define MAKES(name, parameters, arguments, parent, made) MAKES_BY(name, real_##name, parameters, arguments, parent, made)
/* `by` calls the function. */
#define MAKES_BY(name, by, parameters, arguments, parent, made)                                                  \
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
        error = by arguments;                                                                                    \
        end = cll_end(lane, lane->start);                                                                        \
        if (!error && made != MPI_COMM_NULL)                                                                     \
            new = add(made, made, of, #name);                                                                    \
        else                                                                                                     \
            link_word[0] = 0;                                                                                         \
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

/* The program that sets LD_PRELOAD and becomes another one (start.c): it is kept beside this library, with the same
   ending of its name. NULL: it is not known. */
static const char *starter(void)
{
    static char path[4096];
    Dl_info own;
    char *name;

    if (path[0])
        return path;
    if (!dladdr((const void *)starter, &own) || strlen(own.dli_fname) >= sizeof path)
        return NULL;
    strcpy(path, own.dli_fname);
    name = strrchr(path, '/');
    if (!name || strncmp(name, "/wrapper.so-", 12) != 0) {
        path[0] = 0;
        return NULL;
    }
    memmove(name + 7, name + 12, strlen(name + 12) + 1);
    memcpy(name, "/start-", 7);
    return path;
}

/* Puts the starting program before a command, so that its processes are logged, too. They get a word by which they are
   known to be those of this call. `info` may say where the command is: then MPI must find it. The result must be freed;
   NULL: the command stays as it is. */
static char **behind_starter(const char **command, char **arguments, MPI_Info info, const char *setting)
{
    const char *preload = getenv("LD_PRELOAD"), *start = starter();
    int count = 0, length, has_path = 0;
    char **all;

    if (info != MPI_INFO_NULL)
        PMPI_Info_get_valuelen(info, (char *)"path", &length, &has_path);
    if (!preload || !start || has_path)
        return NULL;
    while (arguments && arguments[count])
        count++;
    if (!(all = malloc(((size_t)count + 5) * sizeof *all)))
        return NULL;
    all[0] = (char *)"-e";
    all[1] = (char *)setting;
    all[2] = (char *)preload;
    all[3] = (char *)*command;
    if (count)
        memcpy(all + 4, arguments, (size_t)count * sizeof *all);
    all[count + 4] = NULL;
    *command = start;
    return all;
}

/* Only the root's command counts; other processes may pass anything. */
static int is_root(int root, MPI_Comm comm)
{
    int rank = -1;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

static int (*real_Comm_spawn)(const char *, char **, int, MPI_Info, int, MPI_Comm, MPI_Comm *, int *);
static int (*real_Comm_spawn_multiple)(int, char **, char ***, const int *, const MPI_Info *, int, MPI_Comm, MPI_Comm *,
                                       int *);

static int spawn(const char *command, char *argv[], int processes, MPI_Info info, int root, MPI_Comm comm,
                 MPI_Comm *made, int errors[])
{
    char setting[128], **all = NULL;
    int error;

    if (is_root(root, comm)) {
        cll_calls_starts(link_word, sizeof link_word, setting, sizeof setting);
        all = behind_starter(&command, argv, info, setting);
    }
    error = real_Comm_spawn(command, all ? all : argv, processes, info, root, comm, made, errors);

    free(all);
    return error;
}

static int spawn_multiple(int count, char *commands[], char **argvs[], const int processes[], const MPI_Info infos[],
                          int root, MPI_Comm comm, MPI_Comm *made, int errors[])
{
    char setting[128], **own = NULL, ***all = NULL;
    int i, error;

    if (is_root(root, comm) && count > 0) {
        cll_calls_starts(link_word, sizeof link_word, setting, sizeof setting);
        own = malloc((size_t)count * sizeof *own);
        all = calloc((size_t)count, sizeof *all);
    }
    if (!own || !all)
        error = real_Comm_spawn_multiple(count, commands, argvs, processes, infos, root, comm, made, errors);
    else {
        for (i = 0; i < count; i++) {
            const char *command = commands[i];
            char **arguments = argvs == MPI_ARGVS_NULL ? NULL : argvs[i];
            all[i] = behind_starter(&command, arguments, infos[i], setting);
            own[i] = (char *)command;
        }
        /* One that stays as it is needs its own arguments. */
        for (i = 0; i < count && all[i]; i++)
            ;
        error = i < count ? real_Comm_spawn_multiple(count, commands, argvs, processes, infos, root, comm, made, errors)
                          : real_Comm_spawn_multiple(count, own, all, processes, infos, root, comm, made, errors);
        for (i = 0; i < count; i++)
            free(all[i]);
    }
    free(own);
    free(all);
    return error;
}

MAKES_BY(Comm_spawn, spawn,
         (const char *command, char *argv[], int processes, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
          int errors[]),
         (command, argv, processes, info, root, comm, made, errors), comm, *made)
MAKES_BY(Comm_spawn_multiple, spawn_multiple,
         (int count, char *commands[], char **argvs[], const int processes[], const MPI_Info infos[], int root,
          MPI_Comm comm, MPI_Comm *made, int errors[]),
         (count, commands, argvs, processes, infos, root, comm, made, errors), comm, *made)

/* Both sides know the port, at their roots. */
static void link_by(const char *port, int root, MPI_Comm comm)
{
    if (is_root(root, comm) && port)
        snprintf(link_word, sizeof link_word, "port %s", port);
}

#define LINKS(name)                                                                                              \
    static int (*real_##name)(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);                                \
    static int by_##name(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)               \
    {                                                                                                            \
        link_by(port, root, comm);                                                                               \
        return real_##name(port, info, root, comm, made);                                                        \
    }                                                                                                            \
    MAKES_BY(name, by_##name, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),        \
             (port, info, root, comm, made), comm, *made)

LINKS(Comm_accept)
LINKS(Comm_connect)

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
    end = cll_end(lane, lane->start);
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
