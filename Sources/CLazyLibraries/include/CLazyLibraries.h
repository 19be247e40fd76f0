#ifndef CLAZYLIBRARIES_H
#define CLAZYLIBRARIES_H

/*
 * The functions of libzip, libcrypto and libxml2 that the tool calls, each as one that opens its
 * library at the first call. A command then starts without the libraries that it does not need: the
 * loader takes longer for them than many commands run.
 *
 * They have the libraries' own names and declarations, so that no caller knows of them. The linker
 * drops a library of which no symbol is left (`--as-needed`); without that option, and on systems
 * other than Linux, the loader opens all three at the start as it always does.
 */

#endif
