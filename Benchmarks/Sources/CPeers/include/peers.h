#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stdint.h>

// The C libraries that PlistKit is compared with, in the few calls that are measured.

/// Reads a document with libxml2's SAX2 interface and callbacks that only count: what any reader
/// over libxml2 costs at least. Returns how many elements there are, or -1 for an error.
long peer_sax2_pass(const char *bytes, int size);

/// The version of libxml2 in use, as 20914.
const char *peer_libxml2_version(void);

/// Whether this was built with libplist. Without it the functions below return NULL and 0.
bool peer_has_libplist(void);

typedef enum { PEER_XML, PEER_BINARY } peer_format;

/// A tree of libplist, NULL for an error; `peer_plist_free` frees it.
void *peer_plist_parse(const char *bytes, uint32_t size, peer_format format);
void peer_plist_free(void *plist);

/// How many entries the root dictionary has.
uint32_t peer_plist_count(void *plist);

/// Sets a string in the root dictionary.
void peer_plist_set(void *plist, const char *key, const char *value);

/// Writes the tree, frees the result, and returns its size.
uint32_t peer_plist_write(void *plist, peer_format format);

/// Runs a program to its end with its output thrown away. Returns its exit status, or -1 where it
/// did not start or a signal ended it; `processor` gets the seconds of processor time that it took.
int peer_run(char *const arguments[], double *processor);

#endif
