/* A library for tests: every region takes the slow path, and each sample is a
 * line of the file that CLL_TRACE names. */
#include "cll.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned cll_flags = CLL_SLOW;
__thread struct cll_thread cll_self CLL_TLS;
static __thread unsigned depth;
static FILE *out;

void cll_renew(void) {}

void cll_register_unit(struct cll_unit *unit)
{
    const char *name = getenv("CLL_TRACE");
    if (!out && name)
        out = fopen(name, "w");
    if (out)
        fprintf(out, "unit %s %s %u\n", unit->file, unit->model, unit->nplaces);
}

void cll_enter_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place)
{
    (void)unit, (void)place;
    if (frame->context)
        depth = (unsigned)frame->start;
    frame->context = 1;
    frame->start = depth++;
}

void cll_leave_slow(struct cll_frame *frame, const struct cll_unit *unit, unsigned place,
                    const double *values, unsigned nvalues, unsigned flags, cll_u64 end)
{
    const struct cll_place *at = &unit->places[place];
    unsigned i;
    (void)end;
    depth = (unsigned)frame->start;
    frame->context = 0;
    if (!out)
        return;
    flockfile(out);
    fprintf(out, "%s %u-%u %s depth %u%s", at->experiment, at->line, at->end_line, at->function,
            depth, flags & CLL_LEFT ? " left" : "");
    for (i = 0; i < nvalues; i++)
        fprintf(out, " %s=%g", at->variables[i], values[i]);
    fprintf(out, "\n");
    funlockfile(out);
}

void cll_report(const struct cll_unit *unit, const char *const *names, unsigned n)
{
    unsigned i;
    (void)unit;
    if (!out)
        return;
    fprintf(out, "report");
    for (i = 0; i < n; i++)
        fprintf(out, " %s", names[i]);
    fprintf(out, "\n");
}

void cll_loop_begin(struct cll_loop *loop, unsigned number, unsigned ordered)
{
    cll_loop_close(loop);
    if (out)
        fprintf(out, "loop %u%s\n", number, ordered ? " ordered" : "");
}

int cll_loop_push(struct cll_loop *loop, const void *value, unsigned size)
{
    loop->values = realloc(loop->values, (loop->count + 1) * size);
    memcpy(loop->values + loop->count++ * size, value, size);
    loop->size = size;
    return 1;
}

int cll_loop_next(struct cll_loop *loop, void *value)
{
    if (loop->at == loop->count)
        return 0;
    memcpy(value, loop->values + loop->at++ * loop->size, loop->size);
    return 1;
}

void cll_loop_empty(const struct cll_unit *unit, unsigned line)
{
    if (out)
        fprintf(out, "%s:%u: no values\n", unit->file, line);
}

void cll_loop_close(struct cll_loop *loop)
{
    free(loop->values);
    memset(loop, 0, sizeof *loop);
}
