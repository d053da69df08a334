/*
 * Plays the situations of ok/ one after the other: all of them, or those that SITUATIONS names
 * (separated by commas). Each processor prints what does not hold,
 *
 *     FAILED name processor 2 of 4, file:line: what
 *
 * and in the end `processor 2 of 4 played 40 situations`.
 */
#include "situation.h"
#include <stdarg.h>
#include <unistd.h>

struct situation {
    const char *name;
    void (*play)(t_bsp *all);
};

/* Made by the test: includes the files, and has `static const struct situation all[]`. */
#include "all_situations.h"

static const char *current = "none";
static t_bsp whole;

/* One write, so that lines of several processors do not mix. */
static void tell(const char *format, ...)
{
    char line[600];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (length >= (int)sizeof line)
        length = (int)sizeof line - 1;
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        bsp_abort(NULL, "standard output cannot be written");
}

void situation_check(int holds, const char *condition, const char *file, int line)
{
    if (!holds)
        tell("FAILED %s processor %d of %d, %s:%d: %s\n", current, bsp_pid(&whole),
             bsp_nprocs(&whole), file, line, condition);
}

void situation_check_equal(long long value, long long expected, const char *what,
                           const char *file, int line)
{
    if (value != expected)
        tell("FAILED %s processor %d of %d, %s:%d: %s is %lld, not %lld\n", current,
             bsp_pid(&whole), bsp_nprocs(&whole), file, line, what, value, expected);
}

static int is_chosen(const char *name)
{
    const char *chosen = getenv("SITUATIONS");
    size_t length = strlen(name);
    if (chosen == NULL || *chosen == '\0')
        return 1;
    for (; chosen != NULL; chosen = strchr(chosen, ',')) {
        chosen += *chosen == ',';
        if (strncmp(chosen, name, length) == 0 && (chosen[length] == ',' || !chosen[length]))
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &whole);
    int played = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!is_chosen(all[i].name))
            continue;
        current = all[i].name;
        if (getenv("SITUATIONS_SHOWN") != NULL && bsp_pid(&whole) == 0)
            tell("# %s\n", current);
        all[i].play(&whole);
        bsp_sync(&whole);
        CHECK_EQUAL(bsp_nmsgs(&whole), 0);
        played++;
    }
    tell("processor %d of %d played %d situations\n", bsp_pid(&whole), bsp_nprocs(&whole), played);
    bsplib_done();
    return 0;
}
