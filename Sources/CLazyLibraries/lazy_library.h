#ifndef LAZY_LIBRARY_H
#define LAZY_LIBRARY_H

#include <stdatomic.h>

/* A shared library: its names, the preferred one first and NULL at the end, and once it is open its
 * handle. */
struct lazy_library {
  const char *const *names;
  _Atomic(void *) handle;
};

/* The address of a symbol. Opens the library where that was not done. If it is not there, the process
 * ends as the loader would end it, with a message and status 127: the caller cannot go on. */
void *lazy_symbol(struct lazy_library *library, const char *name);

/* Defines a function of a library. A second thread that comes first finds the same address. */
#define LAZY_FUNCTION(library, result, name, parameters, arguments)                                \
  __attribute__((visibility("hidden"))) result name parameters {                                  \
    static _Atomic(void *) symbol;                                                                 \
    void *place = atomic_load_explicit(&symbol, memory_order_acquire);                             \
    if (!place) {                                                                                  \
      place = lazy_symbol(&library, #name);                                                        \
      atomic_store_explicit(&symbol, place, memory_order_release);                                 \
    }                                                                                              \
    return ((result(*) parameters)place)arguments;                                                 \
  }

#endif
