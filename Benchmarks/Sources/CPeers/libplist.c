#include "peers.h"

#include <stddef.h>

#if __has_include(<plist/plist.h>)
#include <plist/plist.h>

bool peer_has_libplist(void) { return true; }

void *peer_plist_parse(const char *bytes, uint32_t size, peer_format format) {
  plist_t plist = NULL;
  if (format == PEER_XML) {
    plist_from_xml(bytes, size, &plist);
  } else {
    plist_from_bin(bytes, size, &plist);
  }
  return plist;
}

void peer_plist_free(void *plist) { plist_free(plist); }

uint32_t peer_plist_count(void *plist) { return plist_dict_get_size(plist); }

void peer_plist_set(void *plist, const char *key, const char *value) {
  plist_dict_set_item(plist, key, plist_new_string(value));
}

uint32_t peer_plist_write(void *plist, peer_format format) {
  char *bytes = NULL;
  uint32_t size = 0;
  if (format == PEER_XML) {
    plist_to_xml(plist, &bytes, &size);
    plist_to_xml_free(bytes);
  } else {
    plist_to_bin(plist, &bytes, &size);
    plist_to_bin_free(bytes);
  }
  return size;
}

#else

bool peer_has_libplist(void) { return false; }
void *peer_plist_parse(const char *bytes, uint32_t size, peer_format format) { return NULL; }
void peer_plist_free(void *plist) {}
uint32_t peer_plist_count(void *plist) { return 0; }
void peer_plist_set(void *plist, const char *key, const char *value) {}
uint32_t peer_plist_write(void *plist, peer_format format) { return 0; }

#endif
