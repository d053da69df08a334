/* Three places, written as generated code has them: f saves N and P, g saves N, h nothing. */
#ifndef MARKED_H
#define MARKED_H
#include "cll.h"

#ifndef MARKED_FILE
#define MARKED_FILE "marked.c"
#endif
#ifndef MARKED_MODEL
#define MARKED_MODEL "sequential"
#endif

static const char *const marked_variables[] = { "N", "P" };
static const struct cll_place marked_places[] = {
    { "f", "f[0] + f[1]*N/P", MARKED_FILE, "main", 10, 20, 2, 1, marked_variables, 0, 0 },
    { "g", "g[0]*N", MARKED_FILE, "main", 30, 40, 1, 1, marked_variables, 0, 0 },
    { "h", "h[0]", MARKED_FILE, "", 50, 60, 0, 1, 0, 0, 0 }
};
static struct cll_unit marked_unit = {
    CLL_VERSION, 3, marked_places, MARKED_FILE, MARKED_MODEL, "gcc", 0, 0
};
__attribute__((constructor(101), used)) static void marked_register(void)
{
    cll_register_unit(&marked_unit);
}

/* A place's frame and the values it saves. */
struct marked { struct cll_frame frame; double values[2]; unsigned place; };

CLL_INLINE void marked_begin(struct marked *m, unsigned place, double n, double p)
{
    if (!cll_is_on()) {
        m->frame.context = 0;
        return;
    }
    m->place = place;
    m->values[0] = n;
    m->values[1] = p;
    cll_enter(&m->frame, &marked_unit, place);
}

CLL_INLINE void marked_end(struct marked *m)
{
    cll_leave(&m->frame, &marked_unit, m->place, m->values,
              m->place == 0 ? 2 : m->place == 1 ? 1 : 0, 0);
}

CLL_INLINE void marked_close(struct marked *m)
{
    cll_leave(&m->frame, &marked_unit, m->place, m->values,
              m->place == 0 ? 2 : m->place == 1 ? 1 : 0, CLL_LEFT);
}

#define FRAME(m) struct marked m __attribute__((__cleanup__(marked_close), __unused__)) = \
    { CLL_FRAME_INIT, { 0, 0 }, 0 }
#define BEGIN(m, place, n, p) marked_begin(&m, place, n, p)
#define END(m) marked_end(&m)

#endif
