/* Input and output: the requested bytes, and the communicator with which the file was opened. */
#include "handles.h"

/* For each file, the communicator with which it was opened. */
static struct cll_handles files;

/* Its number + 1; 0: it is not known. */
static uint32_t opened_on(MPI_File file)
{
    return cll_handle_find(&files, CLL_KEY(file));
}

static inline void put_file(struct cll_lane *lane, uint32_t communicator, uint64_t written, uint64_t read)
{
    cll_put(lane, communicator);
    cll_put(lane, written);
    cll_put(lane, read);
}

WRAP(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file))
{
    GUARDED(lane);
    uint32_t on;
    int error;

    if (!lane)
        return real_File_open(comm, name, mode, info, file);
    on = cll_comm(lane, comm)->id;
    HEAD(lane, File_open);
    put_file(lane, on + 1, 0, 0);
    cll_begin(lane);
    error = real_File_open(comm, name, mode, info, file);
    cll_return(lane, error);
    if (!error)
        cll_handle_add(&files, CLL_KEY(*file), on);
    return error;
}

WRAP(File_close, (MPI_File * file))
{
    GUARDED(lane);
    uint64_t handle;
    uint32_t known;
    int error;

    if (!lane)
        return real_File_close(file);
    handle = CLL_KEY(*file);
    /* Before the call: another thread may get the handle as soon as it is free. */
    known = cll_handle_take(&files, handle);
    HEAD(lane, File_close);
    put_file(lane, known, 0, 0);
    cll_begin(lane);
    error = real_File_close(file);
    cll_return(lane, error);
    if (error && known)
        cll_handle_add(&files, handle, known - 1);
    return error;
}

/* `WRITTEN` and `READ` are bytes; they can use `lane`. */
#define FILES(name, parameters, arguments, WRITTEN, READ)                                                        \
    CALL(name, parameters, arguments, put_file(lane, opened_on(file), WRITTEN, READ))
#define FILES_BY_REQUEST(name, parameters, arguments, WRITTEN, READ)                                             \
    CALL_BY_REQUEST(name, parameters, arguments, put_file(lane, opened_on(file), WRITTEN, READ))

#define BYTES cll_bytes(lane, (uint64_t)items, type)

#define READS(name)                                                                                              \
    FILES(name, (MPI_File file, void *buf, int items, MPI_Datatype type, MPI_Status *status),                    \
          (file, buf, items, type, status), 0, BYTES)
#define READS_AT(name)                                                                                           \
    FILES(name, (MPI_File file, MPI_Offset at, void *buf, int items, MPI_Datatype type, MPI_Status *status),     \
          (file, at, buf, items, type, status), 0, BYTES)
#define WRITES(name)                                                                                             \
    FILES(name, (MPI_File file, const void *buf, int items, MPI_Datatype type, MPI_Status *status),              \
          (file, buf, items, type, status), BYTES, 0)
#define WRITES_AT(name)                                                                                          \
    FILES(name,                                                                                                  \
          (MPI_File file, MPI_Offset at, const void *buf, int items, MPI_Datatype type, MPI_Status *status),     \
          (file, at, buf, items, type, status), BYTES, 0)

READS(File_read)
READS(File_read_all)
READS(File_read_shared)
READS(File_read_ordered)
READS_AT(File_read_at)
READS_AT(File_read_at_all)
WRITES(File_write)
WRITES(File_write_all)
WRITES(File_write_shared)
WRITES(File_write_ordered)
WRITES_AT(File_write_at)
WRITES_AT(File_write_at_all)

#define IREADS(name)                                                                                             \
    FILES_BY_REQUEST(name, (MPI_File file, void *buf, int items, MPI_Datatype type, MPI_Request *request),       \
                     (file, buf, items, type, request), 0, BYTES)
#define IREADS_AT(name)                                                                                          \
    FILES_BY_REQUEST(name,                                                                                       \
                     (MPI_File file, MPI_Offset at, void *buf, int items, MPI_Datatype type,                     \
                      MPI_Request *request),                                                                     \
                     (file, at, buf, items, type, request), 0, BYTES)
#define IWRITES(name)                                                                                            \
    FILES_BY_REQUEST(name, (MPI_File file, const void *buf, int items, MPI_Datatype type, MPI_Request *request), \
                     (file, buf, items, type, request), BYTES, 0)
#define IWRITES_AT(name)                                                                                         \
    FILES_BY_REQUEST(name,                                                                                       \
                     (MPI_File file, MPI_Offset at, const void *buf, int items, MPI_Datatype type,               \
                      MPI_Request *request),                                                                     \
                     (file, at, buf, items, type, request), BYTES, 0)

IREADS(File_iread)
IREADS(File_iread_shared)
IREADS_AT(File_iread_at)
IWRITES(File_iwrite)
IWRITES(File_iwrite_shared)
IWRITES_AT(File_iwrite_at)
#if MPI_VERSION > 3 || (MPI_VERSION == 3 && MPI_SUBVERSION >= 1)
IREADS(File_iread_all)
IREADS_AT(File_iread_at_all)
IWRITES(File_iwrite_all)
IWRITES_AT(File_iwrite_at_all)
#endif

/* In two calls: the bytes are recorded with the first. */
#define READS_BEGIN(name)                                                                                        \
    FILES(name, (MPI_File file, void *buf, int items, MPI_Datatype type), (file, buf, items, type), 0, BYTES)
#define READS_AT_BEGIN(name)                                                                                     \
    FILES(name, (MPI_File file, MPI_Offset at, void *buf, int items, MPI_Datatype type),                         \
          (file, at, buf, items, type), 0, BYTES)
#define WRITES_BEGIN(name)                                                                                       \
    FILES(name, (MPI_File file, const void *buf, int items, MPI_Datatype type), (file, buf, items, type),        \
          BYTES, 0)
#define WRITES_AT_BEGIN(name)                                                                                    \
    FILES(name, (MPI_File file, MPI_Offset at, const void *buf, int items, MPI_Datatype type),                   \
          (file, at, buf, items, type), BYTES, 0)
#define READS_END(name) FILES(name, (MPI_File file, void *buf, MPI_Status *status), (file, buf, status), 0, 0)
#define WRITES_END(name)                                                                                         \
    FILES(name, (MPI_File file, const void *buf, MPI_Status *status), (file, buf, status), 0, 0)

READS_BEGIN(File_read_all_begin)
READS_END(File_read_all_end)
READS_AT_BEGIN(File_read_at_all_begin)
READS_END(File_read_at_all_end)
READS_BEGIN(File_read_ordered_begin)
READS_END(File_read_ordered_end)
WRITES_BEGIN(File_write_all_begin)
WRITES_END(File_write_all_end)
WRITES_AT_BEGIN(File_write_at_all_begin)
WRITES_END(File_write_at_all_end)
WRITES_BEGIN(File_write_ordered_begin)
WRITES_END(File_write_ordered_end)

FILES(File_set_size, (MPI_File file, MPI_Offset size), (file, size), 0, 0)
FILES(File_preallocate, (MPI_File file, MPI_Offset size), (file, size), 0, 0)
FILES(File_set_view,
      (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char *as, MPI_Info info),
      (file, at, unit, type, as, info), 0, 0)
FILES(File_seek_shared, (MPI_File file, MPI_Offset at, int whence), (file, at, whence), 0, 0)
FILES(File_sync, (MPI_File file), (file), 0, 0)
