/*
 * Preloaded into a process, this counts what the process writes, cuts, syncs and renames below a folder, and lets the
 * n-th of those go wrong: it fails, it writes half, or the process dies just before or just after it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_int count;

static int is_below(const char *path) {
  const char *root = getenv("IO_FAULT_ROOT");
  return root && strncmp(path, root, strlen(root)) == 0;
}

static int is_ours(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static const char *kind(void) { return getenv("IO_FAULT_KIND"); }

/* Says whether this is the operation that goes wrong; the count so far is kept in a file. */
static int is_turn(void) {
  int now = atomic_fetch_add(&count, 1) + 1;
  char text[16];
  int length = snprintf(text, sizeof text, "%d", now);
  int log = REAL(open)(getenv("IO_FAULT_COUNT"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (log >= 0) REAL(write)(log, text, length), REAL(close)(log);
  return now == atoi(getenv("IO_FAULT_AT"));
}

#define FAULTY(type, applies, work, half) \
  if (!(applies) || !is_turn()) return (work); \
  if (strcmp(kind(), "before") == 0) _exit(99); \
  if (strcmp(kind(), "fail") == 0) { errno = EIO; return -1; } \
  if (strcmp(kind(), "full") == 0) { errno = ENOSPC; return -1; } \
  if (strcmp(kind(), "short") == 0) return (half); \
  type result = (work); \
  if (strcmp(kind(), "after") == 0) _exit(99); \
  return result;

ssize_t write(int file, const void *bytes, size_t size) {
  FAULTY(ssize_t, is_ours(file), REAL(write)(file, bytes, size), REAL(write)(file, bytes, (size + 1) / 2))
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  FAULTY(ssize_t, is_ours(file), REAL(pwrite)(file, bytes, size, at), REAL(pwrite)(file, bytes, (size + 1) / 2, at))
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  FAULTY(ssize_t, is_ours(file), REAL(pwrite64)(file, bytes, size, at), REAL(pwrite64)(file, bytes, (size + 1) / 2, at))
}
ssize_t writev(int file, const struct iovec *parts, int number) {
  FAULTY(ssize_t, is_ours(file), REAL(writev)(file, parts, number), REAL(write)(file, parts->iov_base, (parts->iov_len + 1) / 2))
}
int ftruncate(int file, off_t length) { FAULTY(int, is_ours(file), REAL(ftruncate)(file, length), REAL(ftruncate)(file, length)) }
int ftruncate64(int file, off64_t length) { FAULTY(int, is_ours(file), REAL(ftruncate64)(file, length), REAL(ftruncate64)(file, length)) }
int fsync(int file) { FAULTY(int, is_ours(file), REAL(fsync)(file), REAL(fsync)(file)) }
int fdatasync(int file) { FAULTY(int, is_ours(file), REAL(fdatasync)(file), REAL(fdatasync)(file)) }
int rename(const char *from, const char *to) { FAULTY(int, is_below(to), REAL(rename)(from, to), REAL(rename)(from, to)) }
