/*
 * Primitives of an MPI. See analyzer.h.
 *
 *     mpi SEED SECONDS within|between POINT...
 *
 * Points are CALL:PARTNER:BYTES between two processes, `eager`, and COLLECTIVE::BYTES of all processes; without points the
 * program only begins and ends. A pair is on one host (within) or on two (between). Two lines say where the processes are:
 *
 *     library WORDS
 *     hosts COUNT PAIRS      PAIRS: the kinds of pairs that there are, such as within,between
 *
 * and each point gives samples
 *
 *     sample CALL PARTNER BYTES HOSTS PROCESSES VALUE WALL CPU SWITCHES CANARY NEIGHBOUR
 *
 * VALUE, in nanoseconds, is the median of REPETITIONS; of `eager` bytes. NEIGHBOUR is the one-way time of 8 bytes just before.
 *
 * In a point of messages process A sends and B receives. A token of B starts a repetition.
 *   posted: B receives at once, and A sends a delay later: the time in the call of A, and (`receive late`) the time from
 *           the begin of A's call until B has the message.
 *   late:   A sends at once, and B receives a delay later: the time in the call of A, without the time before B came unless
 *           the call had returned; and (`receive early`) the time in the call of B.
 *           B is in MPI meanwhile.
 *   isend:  the time in MPI_Isend and in an MPI_Wait a delay later: how long A is busy.
 *   irecv:  the time in MPI_Irecv and in an MPI_Wait a delay later: how long B is busy.
 * The delay is long enough for the message. A writes what it sends and B reads what it got, outside of the timed part.
 * Clocks of two hosts are compared by the quickest of some round trips.
 */
#include "analyzer.h"

#include <mpi.h>

enum { REPETITIONS = 11, TOKEN = 1, DATA = 2, TIMES = 3, NEVER = 4, ANSWERS = 5, TURNS = 8, TESTS = 200, TRIES = 40 };

static MPI_Comm both;         /* A is 0, B is 1 */
static int me, processes;     /* of all */
static int role = -1, hosts;  /* 0: A, 1: B, -1: neither */
static double offset;         /* what is added to B's clock for A's */
static char *out, *in;
static size_t room;
static volatile double sink;

static double here(void)
{
    return now() + (role == 1 ? offset : 0);
}

static void delay(double seconds)
{
    for (double until = now() + seconds; now() < until;)
        ;
}

/* The same inside MPI: messages make progress, and none is received. */
static void attend(double seconds)
{
    for (double until = now() + seconds; now() < until;) {
        int flag;
        MPI_Iprobe(0, NEVER, both, &flag, MPI_STATUS_IGNORE);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(double *all, int count)
{
    qsort(all, (size_t)count, sizeof *all, by_value);
    return all[count / 2];
}

static void write_out(size_t bytes, int value)
{
    memset(out, value, bytes);
    MEMORY();
}

static void read_in(size_t bytes)
{
    double sum = 0;
    for (size_t k = 0; k < bytes; k += LINE)
        sum += in[k];
    sink = sum;
}

/* The one-way time of some messages. */
static double one_way(size_t bytes, int turns)
{
    double best = 1e30;
    for (int k = 0; k < turns; k++) {
        double begin = now();
        if (role == 0) {
            MPI_Send(out, (int)bytes, MPI_BYTE, 1, DATA, both);
            MPI_Recv(in, (int)bytes, MPI_BYTE, 1, DATA, both, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, (int)bytes, MPI_BYTE, 0, DATA, both, MPI_STATUS_IGNORE);
            MPI_Send(out, (int)bytes, MPI_BYTE, 0, DATA, both);
        }
        double time = (now() - begin) / 2;
        if (time < best)
            best = time;
    }
    return best;
}

/* How far B's clock is behind A's. */
static double compared(void)
{
    double best = 1e30, found = 0;
    for (int k = 0; k < 100; k++) {
        double begin = now(), theirs = begin;
        if (role == 0) {
            MPI_Send(&begin, 1, MPI_DOUBLE, 1, TIMES, both);
            MPI_Recv(&theirs, 1, MPI_DOUBLE, 1, TIMES, both, MPI_STATUS_IGNORE);
            double end = now();
            if (end - begin < best) {
                best = end - begin;
                found = (begin + end) / 2 - theirs;
            }
        } else {
            MPI_Recv(&begin, 1, MPI_DOUBLE, 0, TIMES, both, MPI_STATUS_IGNORE);
            theirs = now();
            MPI_Send(&theirs, 1, MPI_DOUBLE, 0, TIMES, both);
        }
    }
    MPI_Bcast(&found, 1, MPI_DOUBLE, 0, both);
    return found;
}

static void token(void)
{
    char nothing = 0;
    if (role == 1)
        MPI_Send(&nothing, 0, MPI_BYTE, 0, TOKEN, both);
    else
        MPI_Recv(&nothing, 0, MPI_BYTE, 1, TOKEN, both, MPI_STATUS_IGNORE);
}

struct times {
    double begin, end, busy;
};

/* A's call; what it took is in `busy`. */
static struct times sent(const char *call, size_t bytes, double wait)
{
    struct times t;
    int count = (int)bytes;
    MPI_Request request;
    t.begin = here();
    if (strcmp(call, "isend") == 0) {
        MPI_Isend(out, count, MPI_BYTE, 1, DATA, both, &request);
        t.busy = here() - t.begin;
        delay(wait);
        double begin = here();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        t.end = here();
        t.busy += t.end - begin;
        return t;
    }
    if (strcmp(call, "bsend") == 0)
        MPI_Bsend(out, count, MPI_BYTE, 1, DATA, both);
    else if (strcmp(call, "ssend") == 0)
        MPI_Ssend(out, count, MPI_BYTE, 1, DATA, both);
    else if (strcmp(call, "rsend") == 0)
        MPI_Rsend(out, count, MPI_BYTE, 1, DATA, both);
    else
        MPI_Send(out, count, MPI_BYTE, 1, DATA, both);
    t.end = here();
    t.busy = t.end - t.begin;
    return t;
}

static struct times received(const char *call, size_t bytes, double wait)
{
    struct times t;
    MPI_Request request;
    int count = (int)bytes;
    if (strcmp(call, "irecv") == 0) {
        t.begin = here();
        MPI_Irecv(in, count, MPI_BYTE, 0, DATA, both, &request);
        t.busy = here() - t.begin;
        token();
        delay(wait);
        double begin = here();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        t.end = here();
        t.busy += t.end - begin;
        return t;
    }
    t.begin = here();
    MPI_Recv(in, count, MPI_BYTE, 0, DATA, both, MPI_STATUS_IGNORE);
    t.end = here();
    t.busy = t.end - t.begin;
    return t;
}

/* Times of A and B in one repetition; both are known to A. B receives at once, or if it is late after a delay inside MPI. */
static void repetition(const char *call, int late, size_t bytes, double wait, struct times t[2])
{
    int irecv = strcmp(call, "irecv") == 0;
    if (role == 0) {
        write_out(bytes, (int)state++);
        token();
        if (!late && !irecv)
            delay(wait);
        t[0] = sent(call, bytes, wait);
        MPI_Recv(&t[1], 3, MPI_DOUBLE, 1, TIMES, both, MPI_STATUS_IGNORE);
    } else {
        if (!irecv)
            token();
        if (late)
            attend(wait);
        t[1] = received(call, bytes, wait);
        read_in(bytes);
        MPI_Send(&t[1], 3, MPI_DOUBLE, 0, TIMES, both);
    }
}

static void said(const char *call, const char *partner, size_t bytes, int count, double value, double neighbour,
                 const struct meter *m)
{
    printf("sample %s %s %zu %d %d %.6g %.9f %.9f %ld %.4f %.1f\n", call, partner, bytes, hosts, count, value, m->wall,
           m->cpu, m->switches, m->canary, neighbour * 1e9);
}

static void message(const char *call, const char *partner, size_t bytes)
{
    double sender[REPETITIONS], receiver[REPETITIONS];
    int late = strcmp(partner, "late") == 0, busy = call[0] == 'i', count = 0;
    struct times t[2];
    double neighbour = one_way(8, 8), wait = 20e-6 + 3 * one_way(bytes, 3);
    MPI_Bcast(&wait, 1, MPI_DOUBLE, 0, both);
    struct meter m = begun();
    for (int k = 0; k <= REPETITIONS; k++) {
        repetition(call, late, bytes, wait, t);
        if (role != 0 || k == 0)
            continue;
        sender[count] = t[0].busy;
        if (late && !busy && t[0].end > t[1].begin && t[1].begin > t[0].begin)
            sender[count] = t[0].end - t[1].begin;
        receiver[count++] = late || busy ? t[1].busy : t[1].end - t[0].begin;
    }
    ended(&m);
    if (role != 0)
        return;
    if (strcmp(call, "irecv") == 0)
        said(call, partner, bytes, 2, middle(receiver, count) * 1e9, neighbour, &m);
    else
        said(call, partner, bytes, 2, middle(sender, count) * 1e9, neighbour, &m);
    if (strcmp(call, "send") == 0)
        said("receive", late ? "early" : "late", bytes, 2, middle(receiver, count) * 1e9, neighbour, &m);
}

/* Whether a send of this size is complete before B, which is in MPI, receives it. B answers messages of A meanwhile: with each
 * answer MPI has had a turn on both sides, so that no clock is asked. */
static int completes_inside(size_t bytes)
{
    int done = 0;
    token();
    if (role == 0) {
        MPI_Request request;
        MPI_Isend(out, (int)bytes, MPI_BYTE, 1, DATA, both, &request);
        for (int turns = TURNS; turns >= 0; turns--) {
            if (!done)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            MPI_Send(&turns, 1, MPI_INT, 1, ANSWERS, both);
            MPI_Recv(NULL, 0, MPI_BYTE, 1, ANSWERS, both, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        for (int turns = 1; turns > 0;) {
            MPI_Recv(&turns, 1, MPI_INT, 0, ANSWERS, both, MPI_STATUS_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, 0, ANSWERS, both);
        }
        MPI_Recv(in, (int)bytes, MPI_BYTE, 0, DATA, both, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&done, 1, MPI_INT, 0, both);
    return done;
}

/* The same while B sleeps outside of MPI; -1 if A never had a core for long enough to say. */
static int completes_outside(size_t bytes)
{
    useconds_t asleep = 1000;
    for (int tried = 0; tried < TRIES; tried++) {
        int done = 0, answer = -1;
        double woke;
        token();
        if (role == 0) {
            MPI_Request request;
            double begin = here(), last = begin;
            MPI_Isend(out, (int)bytes, MPI_BYTE, 1, DATA, both, &request);
            for (int tests = 0; !done && (tests < TESTS || last < begin + 50e-6); tests++) {
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
                last = here();
            }
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Recv(&woke, 1, MPI_DOUBLE, 1, TIMES, both, MPI_STATUS_IGNORE);
            if (last < woke)
                answer = done;
        } else {
            usleep(asleep);
            woke = here();
            MPI_Recv(in, (int)bytes, MPI_BYTE, 0, DATA, both, MPI_STATUS_IGNORE);
            MPI_Send(&woke, 1, MPI_DOUBLE, 0, TIMES, both);
        }
        MPI_Bcast(&answer, 1, MPI_INT, 0, both);
        if (answer >= 0)
            return answer;
        asleep = asleep < 20000 ? 2 * asleep : asleep;
    }
    return -1;
}

/* The largest message whose send is complete before the receiver comes, which is inside or outside of MPI meanwhile.
 * A receiver that merely comes late does not tell: beside other programs the sender often loses its core for longer. */
static void eager(const char *where, int (*completes)(size_t bytes))
{
    size_t yes = 0, no = room;
    double neighbour = one_way(8, 8);
    struct meter m = begun();
    int answer = completes(room);
    if (answer == 1 && role == 0)
        printf("missing eager limit: messages of %zu bytes are sent before the receiver comes\n", room);
    if (answer == 1)
        return;
    while (no - yes > 1 && answer >= 0) {
        size_t size = no > 2 * yes + 64 ? (yes == 0 ? 64 : 2 * yes) : yes + (no - yes) / 2;
        if (size >= no)
            size = yes + (no - yes) / 2;
        answer = completes(size);
        *(answer == 1 ? &yes : &no) = size;
    }
    ended(&m);
    if (role == 0 && answer < 0)
        printf("missing eager limit (receiver %s of MPI): the sender had no core while the receiver slept\n", where);
    else if (role == 0)
        said("eager", where, 0, 2, (double)yes, neighbour, &m);
}

/* Each has `bytes` for each other in alltoall, of each in gather, scatter, allgather; all have `bytes` in the others. */
static void collective(const char *call, size_t bytes)
{
    int n = (int)bytes, doubles = (int)(bytes / sizeof(double));
    if (strcmp(call, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(call, "bcast") == 0)
        MPI_Bcast(out, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(call, "reduce") == 0)
        MPI_Reduce(out, in, doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (strcmp(call, "allreduce") == 0)
        MPI_Allreduce(out, in, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(call, "gather") == 0)
        MPI_Gather(out, n, MPI_BYTE, in, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(call, "scatter") == 0)
        MPI_Scatter(out, n, MPI_BYTE, in, n, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(call, "allgather") == 0)
        MPI_Allgather(out, n, MPI_BYTE, in, n, MPI_BYTE, MPI_COMM_WORLD);
    else if (strcmp(call, "alltoall") == 0)
        MPI_Alltoall(out, n, MPI_BYTE, in, n, MPI_BYTE, MPI_COMM_WORLD);
}

/* The longest time of a process in the call, all having come from a barrier. */
static void together(const char *call, size_t bytes)
{
    double all[REPETITIONS];
    struct meter m = begun();
    for (int k = 0; k <= REPETITIONS; k++) {
        memset(out, (int)state++ & 31, bytes);
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = now(), time, longest;
        collective(call, bytes);
        time = now() - begin;
        read_in(bytes);
        MPI_Allreduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (k > 0)
            all[k - 1] = longest;
    }
    ended(&m);
    if (me == 0)
        said(call, "-", bytes, processes, middle(all, REPETITIONS) * 1e9, 0, &m);
}

/* Chooses the pair: the first process, and the first other one on its host or on another. Says which kinds there are. */
static void choose(const char *wanted)
{
    char (*names)[MPI_MAX_PROCESSOR_NAME] = calloc((size_t)processes, sizeof *names);
    char own[MPI_MAX_PROCESSOR_NAME] = "", library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, same = -1, other = -1, count = 0;
    if (names == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Get_processor_name(own, &length);
    MPI_Allgather(own, sizeof own, MPI_BYTE, names, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    for (int k = 0; k < processes; k++) {
        int first = 0;
        while (strcmp(names[first], names[k]) != 0)
            first++;
        count += first == k;
        if (k > 0 && same < 0 && first == 0)
            same = k;
        if (other < 0 && first > 0)
            other = k;
    }
    free(names);
    hosts = count;
    int partner = strcmp(wanted, "between") == 0 ? other : same;
    if (me == 0) {
        MPI_Get_library_version(library, &length);
        library[strcspn(library, "\n")] = 0;
        printf("library %s\nhosts %d %s%s%s\n", library, count, same > 0 ? "within" : "",
               same > 0 && other > 0 ? "," : "", other > 0 ? "between" : "");
    }
    role = partner < 0 ? -1 : me == 0 ? 0 : me == partner ? 1 : -1;
    MPI_Comm_split(MPI_COMM_WORLD, role < 0 ? MPI_UNDEFINED : 0, role, &both);
    if (role >= 0 && strcmp(wanted, "between") == 0)
        offset = compared();
}

/* Until all have come, without using the processor. */
static void rest(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        if (role < 0)
            usleep(1000);
    }
}

/* CALL:PARTNER:BYTES */
static int parsed(const char *text, char call[16], char partner[16], size_t *bytes)
{
    unsigned long long number = 0;
    partner[0] = 0;
    if (strcmp(text, "eager") == 0) {
        strcpy(call, text);
        return 1;
    }
    if (sscanf(text, "%15[a-z]:%15[a-z]:%llu", call, partner, &number) != 3 &&
        sscanf(text, "%15[a-z]::%llu", call, &number) != 2)
        return 0;
    *bytes = (size_t)number;
    return *bytes <= 1u << 30;
}

int main(int argc, char **argv)
{
    char call[16], partner[16];
    size_t bytes, most = (size_t)4 << 20;
    int length;
    int alive = 1, measured = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (!arguments(argc, argv) || argc < 4) {
        MPI_Finalize();
        return 2;
    }
    for (int k = 4; k < argc; k++) {
        bytes = 0;
        if (!parsed(argv[k], call, partner, &bytes)) {
            MPI_Finalize();
            return 2;
        }
        most = bytes > most ? bytes : most;
    }
    if (argc > 4) {
        int is_between = strcmp(argv[3], "between") == 0;
        room = most;
        out = malloc(most * (size_t)processes + LINE);
        in = malloc(most * (size_t)processes + LINE);
        char *buffer = malloc(most + MPI_BSEND_OVERHEAD + LINE);
        if (out == NULL || in == NULL || buffer == NULL)
            MPI_Abort(MPI_COMM_WORLD, 2);
        memset(out, 1, most * (size_t)processes);
        memset(in, 1, most * (size_t)processes);
        memset(buffer, 1, most);
        MPI_Buffer_attach(buffer, (int)(most + MPI_BSEND_OVERHEAD + LINE));
        choose(argv[3]);
        /* The processor may be slow until it has had something to do. */
        for (double until = now() + 0.02; now() < until;)
            canary();
        for (int k = 4; k < argc; k++) {
            bytes = 0;
            parsed(argv[k], call, partner, &bytes);
            int of_all = partner[0] == 0 && strcmp(call, "eager") != 0;
            if (!of_all && role < 0)
                continue;
            /* A busy machine takes all the time for the limits; one point after them is measured even so. */
            alive = now() < deadline || measured == 0;
            MPI_Bcast(&alive, 1, MPI_INT, 0, of_all ? MPI_COMM_WORLD : both);
            if (!alive)
                break;
            if (of_all)
                together(call, bytes);
            else if (strcmp(call, "eager") == 0) {
                hosts = is_between ? 2 : 1;
                eager("inside", completes_inside);
                eager("outside", completes_outside);
            } else {
                hosts = is_between ? 2 : 1;
                message(call, partner, bytes);
            }
            measured += strcmp(call, "eager") != 0;
        }
        rest();
        MPI_Buffer_detach(&buffer, &length);
    }
    if (me == 0)
        printf("end\n");
    MPI_Finalize();
    return 0;
}
