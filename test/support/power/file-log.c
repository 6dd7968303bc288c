/*
 * Preloaded into a process, this writes down what the process does to the files below a folder, in order: what it wrote, cut,
 * created, moved, removed and synced. From that log the state of a disk can be made after a loss of power at any moment.
 * Nothing is really synced, since nothing is really lost.
 *
 * A record is a kind, the file's inode, a number (offset or length), the lengths of two byte strings, and those strings.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

struct head { uint8_t kind; uint64_t inode; uint64_t number; uint32_t first; uint32_t second; } __attribute__((packed));

/* The log is opened for each record, so that a process which closes all descriptors does not lose it. */
static void record(char kind, uint64_t inode, uint64_t number, const void *first, size_t a, const void *second, size_t b) {
  struct head head = {kind, inode, number, a, b};
  struct iovec parts[3] = {{&head, sizeof head}, {(void *)first, a}, {(void *)second, b}};
  int log = REAL(open)(getenv("FILE_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (log < 0 || REAL(writev)(log, parts, 3) != (ssize_t)(sizeof head + a + b)) abort();
  REAL(close)(log);
}

static int is_below(const char *path) {
  const char *root = getenv("FILE_LOG_ROOT");
  size_t length = root ? strlen(root) : 0;
  return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The place of a path below the folder; its folder is resolved, since the file itself may not be there. */
static int locate(const char *path, char out[PATH_MAX]) {
  char copy[PATH_MAX], folder[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy) return 0;
  char *slash = strrchr(copy, '/');
  const char *name = slash ? slash + 1 : copy;
  if (slash) *slash = 0;
  if (!realpath(!slash ? "." : slash == copy ? "/" : copy, folder)) return 0;
  if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) return 0;
  return is_below(out);
}

/* The inode of an open file below the folder that is on the disk; 0 for any other. */
static uint64_t inode_of(int file) {
  int kept = errno;
  char link[64], path[PATH_MAX];
  struct stat found;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  uint64_t inode = 0;
  if (length > 0) {
    path[length] = 0;
    if (is_below(path) && fstat(file, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) inode = found.st_ino;
  }
  errno = kept;
  return inode;
}

static int open_logged(const char *path, int flags, mode_t mode) {
  char place[PATH_MAX];
  struct stat found;
  if (!(flags & (O_CREAT | O_TRUNC)) || !locate(path, place)) return REAL(open)(path, flags, mode);
  pthread_mutex_lock(&turn);
  int is_new = stat(path, &found) != 0;
  int file = REAL(open)(path, flags, mode);
  int kept = errno;
  uint64_t inode = file < 0 ? 0 : inode_of(file);
  if (inode && is_new) record('C', inode, 0, place, strlen(place), "", 0);
  else if (inode && (flags & O_TRUNC)) record('T', inode, 0, "", 0, "", 0);
  pthread_mutex_unlock(&turn);
  errno = kept;
  return file;
}

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return open_logged(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)

/* Writes down what was written; without a place it is what lies before the file's position. */
static ssize_t written(int file, const struct iovec *parts, int count, int64_t at, ssize_t result) {
  uint64_t inode = result > 0 ? inode_of(file) : 0;
  if (!inode) return result;
  uint64_t place = at >= 0 ? (uint64_t)at : (uint64_t)(lseek(file, 0, SEEK_CUR) - result);
  char *bytes = malloc(result), *next = bytes;
  for (ssize_t left = result, i = 0; i < count && left > 0; i++) {
    size_t length = parts[i].iov_len < (size_t)left ? parts[i].iov_len : (size_t)left;
    memcpy(next, parts[i].iov_base, length);
    next += length;
    left -= length;
  }
  record('W', inode, place, bytes, result, "", 0);
  free(bytes);
  return result;
}

#define IN_TURN(type, work) \
  pthread_mutex_lock(&turn); \
  type result = (work); \
  int kept = errno; \
  pthread_mutex_unlock(&turn); \
  errno = kept; \
  return result;

#define ONE(bytes, count) (&(struct iovec){(void *)(bytes), (count)}), 1
ssize_t write(int file, const void *bytes, size_t count) {
  if (!inode_of(file)) return REAL(write)(file, bytes, count);
  IN_TURN(ssize_t, written(file, ONE(bytes, count), -1, REAL(write)(file, bytes, count)))
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  IN_TURN(ssize_t, written(file, ONE(bytes, count), at, REAL(pwrite)(file, bytes, count, at)))
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  IN_TURN(ssize_t, written(file, ONE(bytes, count), at, REAL(pwrite64)(file, bytes, count, at)))
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!inode_of(file)) return REAL(writev)(file, parts, count);
  IN_TURN(ssize_t, written(file, parts, count, -1, REAL(writev)(file, parts, count)))
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  IN_TURN(ssize_t, written(file, parts, count, at, REAL(pwritev)(file, parts, count, at)))
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  IN_TURN(ssize_t, written(file, parts, count, at, REAL(pwritev64)(file, parts, count, at)))
}

static int cut(int file, uint64_t length, int result) {
  uint64_t inode = result == 0 ? inode_of(file) : 0;
  if (inode) record('T', inode, length, "", 0, "", 0);
  return result;
}
int ftruncate(int file, off_t length) { IN_TURN(int, cut(file, length, REAL(ftruncate)(file, length))) }
int ftruncate64(int file, off64_t length) { IN_TURN(int, cut(file, length, REAL(ftruncate64)(file, length))) }

static int sync_logged(int file) {
  uint64_t inode = inode_of(file);
  if (!inode) return 0;
  IN_TURN(int, (record('S', inode, 0, "", 0, "", 0), 0))
}
int fsync(int file) { return sync_logged(file); }
int fdatasync(int file) { return sync_logged(file); }

static int moved(const char *from, const char *to, int result) {
  char old[PATH_MAX], new[PATH_MAX];
  if (result == 0 && locate(from, old) && locate(to, new)) record('R', 0, 0, old, strlen(old), new, strlen(new));
  return result;
}
int rename(const char *from, const char *to) { IN_TURN(int, moved(from, to, REAL(rename)(from, to))) }

static int removed(const char *path, int result) {
  char place[PATH_MAX];
  if (result == 0 && locate(path, place)) record('U', 0, 0, place, strlen(place), "", 0);
  return result;
}
int unlink(const char *path) { IN_TURN(int, removed(path, REAL(unlink)(path))) }
int unlinkat(int folder, const char *path, int flags) {
  char place[PATH_MAX];
  int is_ours = (folder == AT_FDCWD || path[0] == '/') && locate(path, place);
  IN_TURN(int, is_ours ? removed(path, REAL(unlinkat)(folder, path, flags)) : REAL(unlinkat)(folder, path, flags))
}
int rmdir(const char *path) { IN_TURN(int, removed(path, REAL(rmdir)(path))) }
int remove(const char *path) { IN_TURN(int, removed(path, REAL(remove)(path))) }

static int made(const char *path, int result) {
  char place[PATH_MAX];
  struct stat found;
  if (result == 0 && locate(path, place) && stat(path, &found) == 0)
    record('M', found.st_ino, 0, place, strlen(place), "", 0);
  return result;
}
int mkdir(const char *path, mode_t mode) { IN_TURN(int, made(path, REAL(mkdir)(path, mode))) }
