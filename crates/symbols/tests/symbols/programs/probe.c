/* Prints the return addresses on the stack of its caller, each with its file: `path address`. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <unwind.h>

struct found {
    uintptr_t address, base;
    const char *path;
};

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct found *found = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && found->address - from < info->dlpi_phdr[i].p_memsz) {
            found->base = info->dlpi_addr;
            found->path = info->dlpi_name[0] ? info->dlpi_name : "program";
            return 1;
        }
    }
    return 0;
}

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *data)
{
    struct found found = { _Unwind_GetIP(context), 0, "nowhere" };
    if ((*(int *)data)++ > 0 && found.address != 0) {
        dl_iterate_phdr(visit, &found);
        printf("%s %lx\n", found.path, (unsigned long)(found.address - found.base));
    }
    return _URC_NO_REASON;
}

void probe(void)
{
    int depth = 0;
    _Unwind_Backtrace(frame, &depth);
}

/* For Fortran. */
void probe_(void)
{
    int depth = 0;
    _Unwind_Backtrace(frame, &depth);
}
