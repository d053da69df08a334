/* Handles of MPI and the numbers under which they are recorded. MPI may use a handle again: the newest is
   meant. */
#ifndef CLL_HANDLES_H
#define CLL_HANDLES_H

#include "wrapper.h"

#include <stdlib.h>

struct cll_handles {
    struct cll_handle {
        uint64_t handle;
        uint32_t number;
    } *all;
    size_t room, count;
};

/* The index after that of a handle; 0: it is not there. With the lock held. */
static inline size_t cll_handle_at(const struct cll_handles *handles, uint64_t handle)
{
    size_t at = handles->count;
    while (at > 0 && handles->all[at - 1].handle != handle)
        at--;
    return at;
}

/* A handle's number + 1; 0: it is not known. */
static inline uint32_t cll_handle_find(const struct cll_handles *handles, uint64_t handle)
{
    uint32_t found;
    size_t at;

    cll_lock();
    at = cll_handle_at(handles, handle);
    found = at ? handles->all[at - 1].number + 1 : 0;
    cll_unlock();
    return found;
}

/* Without memory it is not known later. */
static inline void cll_handle_add(struct cll_handles *handles, uint64_t handle, uint32_t number)
{
    cll_lock();
    if (handles->count == handles->room) {
        size_t wanted = handles->room ? 2 * handles->room : 16;
        struct cll_handle *more = realloc(handles->all, wanted * sizeof *more);
        if (more) {
            handles->all = more;
            handles->room = wanted;
        }
    }
    if (handles->count < handles->room)
        handles->all[handles->count++] = (struct cll_handle){handle, number};
    cll_unlock();
}

/* A handle's number + 1; forgets the handle. 0: it was not known. */
static inline uint32_t cll_handle_take(struct cll_handles *handles, uint64_t handle)
{
    uint32_t found = 0;
    size_t at;

    cll_lock();
    at = cll_handle_at(handles, handle);
    if (at) {
        found = handles->all[at - 1].number + 1;
        handles->all[at - 1] = handles->all[--handles->count];
    }
    cll_unlock();
    return found;
}

#endif
