/* The transport over MPI: what `cll_bsp::mpi` needs of an MPI, as a table of functions.
 *
 * Compiled by the user's own mpicc when it is needed for the first time, since every MPI has its own types and
 * constants; loaded by the program at run time. C99, and nothing of MPI after 3.0.
 *
 * All functions but `end_all` return 0 or an error of MPI, for which `text` returns a text. Requests are in
 * sets, which are tested together, or single, with a number. One thread calls. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if MPI_VERSION < 3
#error "MPI 3.0 or later is needed"
#endif

/* A change of anything here is a new version; cll_bsp::mpi::Transport is the same in Rust. */
#define CLL_MPI_VERSION 1

/* MPICH's MPI_STATUSES_IGNORE is the address 1, which gcc takes for an array. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

#define SETS 8
/* The largest message of MPI: its sizes have the type int. */
#define MAX_MESSAGE ((size_t)1 << 30)

struct piece {
    const void *begin;
    size_t size;
};

struct start {
    /* In the program: rank and number of processes. */
    int32_t rank, ranks;
    /* The same among the processes that can share memory. */
    int32_t node_rank, node_ranks;
    /* The version string of the library. */
    char library[1024];
};

struct found {
    int32_t from;
    uint32_t message;
    size_t size;
};

struct transport {
    uint32_t version, size;
    /* Of the mpi.h with which this was compiled. */
    const char *family, *compiled;
    int (*start)(struct start *);
    int (*end)(void);
    void (*end_all)(int status);
    void (*text)(int error, char *into, size_t size);
    int (*gather)(const void *mine, size_t size, void *all);
    int (*share_on_node)(void *data, size_t size);
    int (*meet_on_node)(void);
    int (*send)(int set, int to, int tag, const struct piece *pieces, size_t count);
    int (*receive)(int set, int from, int tag, void *into, size_t size);
    int (*test)(int set, int *done);
    int (*send_alone)(int to, int tag, const void *begin, size_t size, uint32_t *request);
    int (*find)(int tag, struct found *found, int *is_there);
    int (*receive_found)(const struct found *found, void *into, uint32_t *request);
    int (*test_alone)(uint32_t request, int *done);
};

static struct set {
    MPI_Request *requests;
    int count, room;
} sets[SETS];

/* Requests that are tested singly; free ones contain the number of the next free one. */
static struct alone {
    MPI_Request request;
    uint32_t next_free;
} *alone;
static uint32_t alone_room, alone_free;

static MPI_Message *messages;
static uint32_t message_room, message_count;

static MPI_Comm world = MPI_COMM_NULL, node = MPI_COMM_NULL;
static int is_ours;

static int begin(struct start *start)
{
    int error, before = 0, given = 0, length = 0;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, ranks, node_rank, node_ranks;

    if ((error = MPI_Initialized(&before)) != 0)
        return error;
    if (!before && (error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given)) != 0)
        return error;
    is_ours = !before;
    if ((error = MPI_Comm_dup(MPI_COMM_WORLD, &world)) != 0)
        return error;
    /* From now on errors are returned: they are reported together with the processor. */
    if ((error = MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN)) != 0 ||
        (error = MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node)) != 0 ||
        (error = MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN)) != 0 ||
        (error = MPI_Comm_rank(world, &rank)) != 0 || (error = MPI_Comm_size(world, &ranks)) != 0 ||
        (error = MPI_Comm_rank(node, &node_rank)) != 0 ||
        (error = MPI_Comm_size(node, &node_ranks)) != 0 ||
        (error = MPI_Get_library_version(library, &length)) != 0)
        return error;
    start->rank = rank;
    start->ranks = ranks;
    start->node_rank = node_rank;
    start->node_ranks = node_ranks;
    if (length > (int)sizeof start->library - 1)
        length = (int)sizeof start->library - 1;
    memcpy(start->library, library, (size_t)length);
    start->library[length] = 0;
    return 0;
}

static int end(void)
{
    int error = 0;
    if (node != MPI_COMM_NULL)
        error = MPI_Comm_free(&node);
    if (error == 0 && world != MPI_COMM_NULL)
        error = MPI_Comm_free(&world);
    if (error == 0 && is_ours)
        error = MPI_Finalize();
    return error;
}

static void end_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static void text(int error, char *into, size_t size)
{
    char string[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (size == 0)
        return;
    if (MPI_Error_string(error, string, &length) != 0)
        length = 0;
    if (length > (int)size - 1)
        length = (int)size - 1;
    memcpy(into, string, (size_t)length);
    into[length] = 0;
}

static int gather(const void *mine, size_t size, void *all)
{
    return MPI_Allgather((void *)(uintptr_t)mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, world);
}

static int share_on_node(void *data, size_t size)
{
    return MPI_Bcast(data, (int)size, MPI_BYTE, 0, node);
}

static int meet_on_node(void)
{
    return MPI_Barrier(node);
}

static MPI_Request *next_of(struct set *set)
{
    if (set->count == set->room) {
        int room = set->room ? 2 * set->room : 64;
        MPI_Request *more = realloc(set->requests, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        set->requests = more;
        set->room = room;
    }
    return &set->requests[set->count];
}

static int send_bytes(struct set *set, int to, int tag, const void *begin, size_t size)
{
    MPI_Request *request = next_of(set);
    int error;
    if (!request)
        return MPI_ERR_NO_MEM;
    error = MPI_Isend((void *)(uintptr_t)begin, (int)size, MPI_BYTE, to, tag, world, request);
    if (error == 0)
        set->count++;
    return error;
}

/* Some pieces, at most MAX_MESSAGE bytes together, as one message. */
static int send_pieces(struct set *set, int to, int tag, const struct piece *pieces, int count)
{
    int few[16], *lengths = few, error;
    MPI_Aint few_places[16], *places = few_places;
    MPI_Datatype type;
    MPI_Request *request = next_of(set);
    if (!request)
        return MPI_ERR_NO_MEM;
    if (count > 16) {
        lengths = malloc((size_t)count * sizeof *lengths);
        places = malloc((size_t)count * sizeof *places);
        if (!lengths || !places) {
            free(lengths);
            free(places);
            return MPI_ERR_NO_MEM;
        }
    }
    for (int i = 0; i < count; i++) {
        lengths[i] = (int)pieces[i].size;
        MPI_Get_address((void *)(uintptr_t)pieces[i].begin, &places[i]);
    }
    error = MPI_Type_create_hindexed(count, lengths, places, MPI_BYTE, &type);
    if (count > 16) {
        free(lengths);
        free(places);
    }
    if (error != 0)
        return error;
    if ((error = MPI_Type_commit(&type)) == 0 &&
        (error = MPI_Isend(MPI_BOTTOM, 1, type, to, tag, world, request)) == 0)
        set->count++;
    MPI_Type_free(&type);
    return error;
}

/* Adds a piece of a message. */
static int add_piece(struct piece **list, size_t *room, size_t count, const void *begin, size_t size)
{
    if (count == *room) {
        size_t more_room = *room ? 2 * *room : 16;
        struct piece *more = realloc(*list, more_room * sizeof *more);
        if (!more)
            return MPI_ERR_NO_MEM;
        *list = more;
        *room = more_room;
    }
    (*list)[count].begin = begin;
    (*list)[count].size = size;
    return 0;
}

/* The receiver has one buffer for all of them; both divide it at the same bytes. */
static int send(int number, int to, int tag, const struct piece *pieces, size_t count)
{
    static struct piece *list;
    static size_t list_room;
    struct set *set = &sets[number];
    size_t room = MAX_MESSAGE, listed = 0;
    int error = 0;
    if (count == 1 && pieces->size <= MAX_MESSAGE)
        return send_bytes(set, to, tag, pieces->begin, pieces->size);
    for (size_t i = 0; i < count && error == 0; i++) {
        const char *begin = pieces[i].begin;
        size_t left = pieces[i].size;
        while (left > 0 && error == 0) {
            size_t now = left < room ? left : room;
            error = add_piece(&list, &list_room, listed, begin, now);
            listed++;
            begin += now;
            left -= now;
            room -= now;
            if (error == 0 && room == 0) {
                error = send_pieces(set, to, tag, list, (int)listed);
                listed = 0;
                room = MAX_MESSAGE;
            }
        }
    }
    return error == 0 && listed > 0 ? send_pieces(set, to, tag, list, (int)listed) : error;
}

static int receive(int number, int from, int tag, void *into, size_t size)
{
    struct set *set = &sets[number];
    char *at = into;
    do {
        size_t now = size < MAX_MESSAGE ? size : MAX_MESSAGE;
        MPI_Request *request = next_of(set);
        int error;
        if (!request)
            return MPI_ERR_NO_MEM;
        if ((error = MPI_Irecv(at, (int)now, MPI_BYTE, from, tag, world, request)) != 0)
            return error;
        set->count++;
        at += now;
        size -= now;
    } while (size > 0);
    return 0;
}

static int test(int number, int *done)
{
    struct set *set = &sets[number];
    int error = 0;
    *done = 1;
    if (set->count > 0) {
        error = MPI_Testall(set->count, set->requests, done, MPI_STATUSES_IGNORE);
        if (error == 0 && *done)
            set->count = 0;
    }
    return error;
}

static int take_alone(uint32_t *number)
{
    if (alone_free == alone_room) {
        uint32_t room = alone_room ? 2 * alone_room : 64;
        struct alone *more = realloc(alone, room * sizeof *more);
        if (!more)
            return MPI_ERR_NO_MEM;
        alone = more;
        for (uint32_t i = alone_room; i < room; i++)
            alone[i].next_free = i + 1;
        alone_room = room;
    }
    *number = alone_free;
    alone_free = alone[alone_free].next_free;
    return 0;
}

static void give_back(uint32_t number)
{
    alone[number].next_free = alone_free;
    alone_free = number;
}

static int send_alone(int to, int tag, const void *begin, size_t size, uint32_t *request)
{
    int error = take_alone(request);
    if (error != 0)
        return error;
    if (size > INT32_MAX) {
        give_back(*request);
        return MPI_ERR_COUNT;
    }
    error = MPI_Isend((void *)(uintptr_t)begin, (int)size, MPI_BYTE, to, tag, world,
                      &alone[*request].request);
    if (error != 0)
        give_back(*request);
    return error;
}

static int find(int tag, struct found *found, int *is_there)
{
    MPI_Status status;
    MPI_Message message;
    int size = 0, error;
    error = MPI_Improbe(MPI_ANY_SOURCE, tag, world, is_there, &message, &status);
    if (error != 0 || !*is_there)
        return error;
    if ((error = MPI_Get_count(&status, MPI_BYTE, &size)) != 0)
        return error;
    if (message_count == message_room) {
        uint32_t room = message_room ? 2 * message_room : 64;
        MPI_Message *more = realloc(messages, room * sizeof *more);
        if (!more)
            return MPI_ERR_NO_MEM;
        messages = more;
        message_room = room;
    }
    messages[message_count] = message;
    found->from = status.MPI_SOURCE;
    found->message = message_count++;
    found->size = (size_t)size;
    return 0;
}

/* A message that was found is received before another one is searched for. */
static int receive_found(const struct found *found, void *into, uint32_t *request)
{
    MPI_Message message = messages[found->message];
    int error = take_alone(request);
    if (error != 0)
        return error;
    message_count--;
    error = MPI_Imrecv(into, (int)found->size, MPI_BYTE, &message, &alone[*request].request);
    if (error != 0)
        give_back(*request);
    return error;
}

static int test_alone(uint32_t request, int *done)
{
    int error = MPI_Test(&alone[request].request, done, MPI_STATUS_IGNORE);
    if (error == 0 && *done)
        give_back(request);
    return error;
}

#define IN_WORDS_(x) #x
#define IN_WORDS(x) IN_WORDS_(x)

/* Intel's MPI and others that are derived from MPICH report this in MPICH_VERSION. */
static const struct transport transport = {
    .version = CLL_MPI_VERSION,
    .size = sizeof(struct transport),
#if defined OPEN_MPI
    .family = "Open MPI",
    .compiled = IN_WORDS(OMPI_MAJOR_VERSION) "." IN_WORDS(OMPI_MINOR_VERSION) "."
                IN_WORDS(OMPI_RELEASE_VERSION),
#elif defined MPICH_VERSION
    .family = "MPICH",
    .compiled = MPICH_VERSION,
#else
    .family = "an MPI without a name",
    .compiled = "",
#endif
    .start = begin,
    .end = end,
    .end_all = end_all,
    .text = text,
    .gather = gather,
    .share_on_node = share_on_node,
    .meet_on_node = meet_on_node,
    .send = send,
    .receive = receive,
    .test = test,
    .send_alone = send_alone,
    .find = find,
    .receive_found = receive_found,
    .test_alone = test_alone,
};

__attribute__((visibility("default"))) const struct transport *cll_mpi_transport(void)
{
    return &transport;
}
