/* Writes an OTF2 archive. Argument: the folder, which must not exist. Standard input: lines of a letter and numbers,
 * times in nanoseconds; the first letter says what they are:
 *
 *   L location            the events that follow are of this location
 *   E time region polls   enter; polls: how many unsuccessful ones it stands for, 0 if it is one call
 *   X time region         leave
 *   Y time                leave all regions that are open, the innermost first
 *   s, i                  MpiSend, MpiIsend: time receiver communicator tag bytes [request]
 *   r, v                  MpiRecv, MpiIrecv: time sender communicator tag bytes [request]
 *   c, q, a               MpiIsendComplete, MpiIrecvRequest, MpiRequestCancelled: time request
 *   b time                MpiCollectiveBegin
 *   e, d                  MpiCollectiveEnd, NonBlockingCollectiveComplete: time operation communicator root sent
 *                         received [request]
 *   n time request        NonBlockingCollectiveRequest
 *   w time                RmaCollectiveBegin
 *   W                     RmaCollectiveEnd: time operation level window root
 *   p, g                  RmaPut, RmaGet: time window rank bytes number
 *   m                     RmaAtomic: time window rank kind sent received number
 *   o time window number  RmaOpCompleteRemote
 *
 * and definitions, K first: K length; D string bytes text (1 and 2 are name and meaning of the attribute of polls, 3 is the
 * name of MPI); N node name class parent; P process name node; T location name
 * process; R region name role paradigm file line; G group name kind count member...; C communicator name group parent;
 * I communicator name group group parent; V window name communicator. Z ends them.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#if OTF2_VERSION_MAJOR < 3
#error "OTF2 3.0 or later is needed"
#endif

/* Polls are an attribute of Enter. */
#define POLLS 0
#define CHUNK (1024 * 1024)

static OTF2_Archive *archive;
static char said[512];

static OTF2_ErrorCode error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                            const char *format, va_list rest)
{
    (void)data, (void)file, (void)line, (void)function;
    /* The first one is the cause. */
    if (said[0] == 0)
        vsnprintf(said, sizeof said, format, rest);
    return code;
}

static void give_up(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void check(OTF2_ErrorCode code)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "%s%s%s\n", OTF2_Error_GetDescription(code), said[0] ? ": " : "", said);
    exit(1);
}

static void *memory(void *old, size_t bytes)
{
    void *new = realloc(old, bytes ? bytes : 1);

    if (new == NULL)
        give_up("out of memory");
    return new;
}

static int64_t number(void)
{
    int c = getchar_unlocked(), is_negative;
    int64_t value = 0;

    while (c == ' ')
        c = getchar_unlocked();
    is_negative = c == '-';
    if (is_negative)
        c = getchar_unlocked();
    if (c < '0' || c > '9')
        give_up("the input has no number where one must be");
    for (; c >= '0' && c <= '9'; c = getchar_unlocked())
        value = (int64_t)((uint64_t)value * 10 + (uint64_t)(c - '0'));
    ungetc(c, stdin);
    return is_negative ? -value : value;
}

#define U32 ((uint32_t)number())
#define U64 ((uint64_t)number())

/* Locations, and how many events they have. */
struct location {
    uint64_t number, events;
    OTF2_EvtWriter *writer;
    uint32_t *open;
    size_t depth, room;
    int was_opened;
};
static struct location *locations;
static size_t count, room;

static struct location *location(uint64_t number)
{
    size_t k;

    /* The last ones are those of this process. */
    for (k = count; k > 0; k--)
        if (locations[k - 1].number == number)
            return &locations[k - 1];
    if (count == room) {
        room = 2 * room + 16;
        locations = memory(locations, room * sizeof *locations);
    }
    memset(&locations[count], 0, sizeof *locations);
    locations[count].number = number;
    return &locations[count++];
}

static OTF2_EvtWriter *opened(struct location *at)
{
    if (at->writer == NULL)
        at->writer = OTF2_Archive_GetEvtWriter(archive, at->number);
    at->was_opened = 1;
    if (at->writer == NULL)
        give_up(said[0] ? said : "the events of a thread cannot be written");
    return at->writer;
}

static void closed(struct location *at)
{
    if (at->writer == NULL)
        return;
    check(OTF2_EvtWriter_GetNumberOfEvents(at->writer, &at->events));
    check(OTF2_Archive_CloseEvtWriter(archive, at->writer));
    at->writer = NULL;
}

static void enter(struct location *at, uint32_t region)
{
    if (at->depth == at->room) {
        at->room = 2 * at->room + 8;
        at->open = memory(at->open, at->room * sizeof *at->open);
    }
    at->open[at->depth++] = region;
}

/* An event whose letter was read. */
static void event(struct location *at, int letter)
{
    OTF2_EvtWriter *to = opened(at);
    uint64_t time = U64, bytes, other;
    uint32_t a, b, c, d;

    switch (letter) {
    case 'E':
        a = U32;
        b = U32;
        enter(at, a);
        if (b > 0) {
            OTF2_AttributeList *list = OTF2_AttributeList_New();

            check(OTF2_AttributeList_AddUint32(list, POLLS, b));
            check(OTF2_EvtWriter_Enter(to, list, time, a));
            OTF2_AttributeList_Delete(list);
        } else {
            check(OTF2_EvtWriter_Enter(to, NULL, time, a));
        }
        break;
    case 'X':
        if (at->depth > 0)
            at->depth--;
        check(OTF2_EvtWriter_Leave(to, NULL, time, U32));
        break;
    case 'Y':
        while (at->depth > 0)
            check(OTF2_EvtWriter_Leave(to, NULL, time, at->open[--at->depth]));
        closed(at);
        break;
    case 's': case 'i': case 'r': case 'v':
        a = U32;
        b = U32;
        c = U32;
        bytes = U64;
        if (letter == 's')
            check(OTF2_EvtWriter_MpiSend(to, NULL, time, a, b, c, bytes));
        else if (letter == 'r')
            check(OTF2_EvtWriter_MpiRecv(to, NULL, time, a, b, c, bytes));
        else if (letter == 'i')
            check(OTF2_EvtWriter_MpiIsend(to, NULL, time, a, b, c, bytes, U64));
        else
            check(OTF2_EvtWriter_MpiIrecv(to, NULL, time, a, b, c, bytes, U64));
        break;
    case 'c':
        check(OTF2_EvtWriter_MpiIsendComplete(to, NULL, time, U64));
        break;
    case 'q':
        check(OTF2_EvtWriter_MpiIrecvRequest(to, NULL, time, U64));
        break;
    case 'a':
        check(OTF2_EvtWriter_MpiRequestCancelled(to, NULL, time, U64));
        break;
    case 'b':
        check(OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, time));
        break;
    case 'n':
        check(OTF2_EvtWriter_NonBlockingCollectiveRequest(to, NULL, time, U64));
        break;
    case 'e': case 'd':
        a = U32;
        b = U32;
        c = U32;
        bytes = U64;
        other = U64;
        if (letter == 'e')
            check(OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, time, (OTF2_CollectiveOp)a, b, c, bytes, other));
        else
            check(OTF2_EvtWriter_NonBlockingCollectiveComplete(to, NULL, time, (OTF2_CollectiveOp)a, b, c, bytes,
                                                               other, U64));
        break;
    case 'w':
        check(OTF2_EvtWriter_RmaCollectiveBegin(to, NULL, time));
        break;
    case 'W':
        a = U32;
        b = U32;
        c = U32;
        d = U32;
        check(OTF2_EvtWriter_RmaCollectiveEnd(to, NULL, time, (OTF2_CollectiveOp)a, b, c, d, 0, 0));
        break;
    case 'p': case 'g':
        a = U32;
        b = U32;
        bytes = U64;
        if (letter == 'p')
            check(OTF2_EvtWriter_RmaPut(to, NULL, time, a, b, bytes, U64));
        else
            check(OTF2_EvtWriter_RmaGet(to, NULL, time, a, b, bytes, U64));
        break;
    case 'm':
        a = U32;
        b = U32;
        c = U32;
        bytes = U64;
        other = U64;
        check(OTF2_EvtWriter_RmaAtomic(to, NULL, time, a, b, (OTF2_RmaAtomicType)c, bytes, other, U64));
        break;
    case 'o':
        a = U32;
        check(OTF2_EvtWriter_RmaOpCompleteRemote(to, NULL, time, a, U64));
        break;
    default:
        give_up("the input has an unknown line");
    }
}

static void text(OTF2_GlobalDefWriter *to)
{
    uint32_t string = U32;
    size_t bytes = (size_t)U64;
    char *content = memory(NULL, bytes + 1);

    getchar_unlocked();
    if (fread(content, 1, bytes, stdin) != bytes)
        give_up("the input ends in a text");
    content[bytes] = 0;
    check(OTF2_GlobalDefWriter_WriteString(to, string, content));
    free(content);
}

static void group(OTF2_GlobalDefWriter *to)
{
    uint32_t self = U32, name = U32, is_locations = U32, members = U32, k;
    uint64_t *all = memory(NULL, members * sizeof *all);

    for (k = 0; k < members; k++)
        all[k] = U64;
    check(OTF2_GlobalDefWriter_WriteGroup(to, self, name,
                                          is_locations ? OTF2_GROUP_TYPE_COMM_LOCATIONS : OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, members, all));
    free(all);
}

static void definition(OTF2_GlobalDefWriter *to, int letter)
{
    struct location *at;
    uint32_t a, b, c, d, e, f;

    if (letter == 'D') {
        text(to);
        return;
    }
    if (letter == 'G') {
        group(to);
        return;
    }
    if (letter == 'K') {
        check(OTF2_GlobalDefWriter_WriteClockProperties(to, UINT64_C(1000000000), 0, U64, OTF2_UNDEFINED_TIMESTAMP));
        return;
    }
    a = U32;
    b = U32;
    c = U32;
    switch (letter) {
    case 'N':
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, a, b, c, U32));
        break;
    case 'P':
        check(OTF2_GlobalDefWriter_WriteLocationGroup(to, a, b, OTF2_LOCATION_GROUP_TYPE_PROCESS, c,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        break;
    case 'T':
        at = location(a);
        /* A thread without events has a file, too. */
        if (!at->was_opened)
            opened(at);
        closed(at);
        check(OTF2_GlobalDefWriter_WriteLocation(to, a, b, OTF2_LOCATION_TYPE_CPU_THREAD, at->events, c));
        break;
    case 'R':
        d = U32;
        e = U32;
        f = U32;
        check(OTF2_GlobalDefWriter_WriteRegion(to, a, b, b, OTF2_UNDEFINED_STRING, (OTF2_RegionRole)c,
                                               (OTF2_Paradigm)d, OTF2_REGION_FLAG_NONE, e, f, f));
        break;
    case 'C':
        check(OTF2_GlobalDefWriter_WriteComm(to, a, b, c, U32, OTF2_COMM_FLAG_NONE));
        break;
    case 'I':
        d = U32;
        e = U32;
        check(OTF2_GlobalDefWriter_WriteInterComm(to, a, b, c, d, e, OTF2_COMM_FLAG_NONE));
        break;
    case 'V':
        check(OTF2_GlobalDefWriter_WriteRmaWin(to, a, b, c, OTF2_RMA_WIN_FLAG_NONE));
        break;
    default:
        give_up("the input has an unknown definition");
    }
}

/* Of strings that the input always has. */
static void own_definitions(OTF2_GlobalDefWriter *to)
{
    check(OTF2_GlobalDefWriter_WriteAttribute(to, POLLS, 1, 2, OTF2_TYPE_UINT32));
    check(OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, 3, OTF2_PARADIGM_CLASS_PROCESS));
}

static OTF2_FlushType before(void *data, OTF2_FileType type, OTF2_LocationRef of, void *caller, bool is_final)
{
    (void)data, (void)type, (void)of, (void)caller, (void)is_final;
    return OTF2_FLUSH;
}

int main(int argc, char **argv)
{
    static OTF2_FlushCallbacks flush = { .otf2_pre_flush = before };
    OTF2_GlobalDefWriter *definitions;
    struct location *at = NULL;
    size_t k;
    int c, has_ended = 0;

    if (argc != 2)
        give_up("argument: the folder");
    /* Writing beyond a limit is an error, as writing to a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    setvbuf(stdin, NULL, _IOFBF, 1 << 16);
    OTF2_Error_RegisterCallback(error, NULL);
    archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK, OTF2_SUBSTRATE_POSIX,
                                OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        give_up(said[0] ? said : "the archive cannot be opened");
    check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_SetCreator(archive, "cll"));
    check(OTF2_Archive_OpenEvtFiles(archive));
    while ((c = getchar_unlocked()) != EOF && c != 'K') {
        if (c == 'L')
            at = location(U64);
        else if (at == NULL)
            give_up("the input has an event of no location");
        else
            event(at, c);
        while ((c = getchar_unlocked()) != '\n' && c != EOF)
            ;
    }
    if (c == 'K')
        ungetc(c, stdin);
    definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (definitions == NULL)
        give_up(said[0] ? said : "the definitions cannot be written");
    while ((c = getchar_unlocked()) != EOF && !has_ended) {
        if (c == 'Z')
            has_ended = 1;
        else
            definition(definitions, c);
        while ((c = getchar_unlocked()) != '\n' && c != EOF)
            ;
    }
    if (!has_ended)
        give_up("the input is not complete");
    own_definitions(definitions);
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    for (k = 0; k < count; k++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, locations[k].number);

        if (writer == NULL)
            give_up(said[0] ? said : "the definitions of a thread cannot be written");
        check(OTF2_Archive_CloseDefWriter(archive, writer));
    }
    check(OTF2_Archive_CloseDefFiles(archive));
    check(OTF2_Archive_CloseGlobalDefWriter(archive, definitions));
    check(OTF2_Archive_Close(archive));
    return 0;
}
