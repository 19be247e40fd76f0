#include "peers.h"

#include <libxml/parser.h>

struct counts {
  long elements;
  long ends;
  long characters;
};

static void start_element(void *data, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int namespaces, const xmlChar **namespace_list,
                          int attributes, int defaulted, const xmlChar **attribute_list) {
  ((struct counts *)data)->elements += 1;
}

static void end_element(void *data, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri) {
  ((struct counts *)data)->ends += 1;
}

static void characters(void *data, const xmlChar *text, int length) {
  ((struct counts *)data)->characters += length;
}

long peer_sax2_pass(const char *bytes, int size) {
  struct counts counts = {0, 0, 0};
  xmlSAXHandler handler = {0};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start_element;
  handler.endElementNs = end_element;
  handler.characters = characters;

  xmlParserCtxtPtr context = xmlNewParserCtxt();
  if (context == NULL) return -1;
  *context->sax = handler;
  context->userData = &counts;
  xmlCtxtReadMemory(context, bytes, size, NULL, NULL,
                    XML_PARSE_HUGE | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  bool is_good = context->wellFormed && counts.ends == counts.elements && counts.characters > 0;
  xmlFreeParserCtxt(context);
  return is_good ? counts.elements : -1;
}

const char *peer_libxml2_version(void) { return xmlParserVersion; }
