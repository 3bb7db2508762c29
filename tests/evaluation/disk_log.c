/* Preloaded into a process, logs what it writes below the folder LOGGED_FOLDER and what it flushes, in order, to the
   file LOGGED_TO: what had surely reached the disk at any moment can be made again from it. -shm files are left out. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct record { double time; int64_t number, start, size, name; int64_t kind; };
static atomic_long n_records;

static void note(char kind, const char *name, int64_t start, const void *data, int64_t size) {
    static int log_file = -1;
    size_t length = strlen(name);
    if (length > 4 && !strcmp(name + length - 4, "-shm")) return;
    if (log_file < 0) log_file = open(getenv("LOGGED_TO"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t held = data ? size : 0;
    struct record record = {now.tv_sec + now.tv_nsec / 1e9, atomic_fetch_add(&n_records, 1), start, size, length, kind};
    char *all = malloc(sizeof record + length + held);
    memcpy(all, &record, sizeof record);
    memcpy(all + sizeof record, name, length);
    if (held) memcpy(all + sizeof record + length, data, held);
    if (syscall(SYS_write, log_file, all, sizeof record + length + held) < 0) abort();
    free(all);
}

static const char *name_of(int file) {
    static _Thread_local char name[PATH_MAX];
    char link[64];
    const char *folder = getenv("LOGGED_FOLDER");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (!folder || length < 0) return NULL;
    name[length] = 0;
    return strncmp(name, folder, strlen(folder)) ? NULL : name;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define PWRITE(call, offset)                                                          \
    ssize_t call(int file, const void *data, size_t size, offset start) {             \
        const char *name = name_of(file);                                             \
        if (name) note('w', name, start, data, size);                                 \
        return REAL(call)(file, data, size, start);                                   \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(call, offset)                                                       \
    int call(int file, offset size) {                                                 \
        const char *name = name_of(file);                                             \
        if (name) note('t', name, 0, NULL, size);                                     \
        return REAL(call)(file, size);                                                \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

/* only what was written before a flush began is surely on the disk when it is done */
#define SYNC(call)                                                                    \
    int call(int file) {                                                              \
        long before = atomic_load(&n_records);                                        \
        int done = REAL(call)(file);                                                  \
        const char *name = name_of(file);                                             \
        if (name && !done) note('s', name, before, NULL, 0);                          \
        return done;                                                                  \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *name) {
    const char *folder = getenv("LOGGED_FOLDER");
    if (folder && !strncmp(name, folder, strlen(folder))) note('u', name, 0, NULL, 0);
    return REAL(unlink)(name);
}
