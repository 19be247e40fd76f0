#ifdef __linux__

#include "lazy_library.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text) {
  if (text && write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static _Noreturn void fail(void) {
  say("ipa-inject: error: ");
  say(dlerror());
  say("\n");
  _exit(127);
}

static void *open_library(struct lazy_library *library) {
  for (const char *const *name = library->names; *name; name++) {
    void *handle = dlopen(*name, RTLD_LAZY | RTLD_LOCAL);
    if (handle) return handle;
  }
  fail();
}

void *lazy_symbol(struct lazy_library *library, const char *name) {
  void *handle = atomic_load_explicit(&library->handle, memory_order_acquire);
  if (!handle) {
    /* Two threads at once get the same handle, counted twice; it is never closed. */
    handle = open_library(library);
    atomic_store_explicit(&library->handle, handle, memory_order_release);
  }
  void *symbol = dlsym(handle, name);
  if (!symbol) fail();
  return symbol;
}

#endif
