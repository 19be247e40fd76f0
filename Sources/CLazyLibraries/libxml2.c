#ifdef __linux__

#include "lazy_library.h"

#include <libxml/encoding.h>
#include <libxml/globals.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

/* The library got another name in 2.14, when its structures changed. */
#if LIBXML_VERSION >= 21400
static const char *const names[] = {"libxml2.so.16", NULL};
#else
static const char *const names[] = {"libxml2.so.2", NULL};
#endif
static struct lazy_library libxml2 = {names, NULL};

#define XML_FUNCTION(result, name, parameters, arguments)                                          \
  LAZY_FUNCTION(libxml2, result, name, parameters, arguments)

/* Parsing. */
XML_FUNCTION(void, xmlInitParser, (void), ())
XML_FUNCTION(
    xmlParserCtxtPtr, xmlCreateIOParserCtxt,
    (xmlSAXHandlerPtr handler, void *data, xmlInputReadCallback read, xmlInputCloseCallback close,
     void *state, xmlCharEncoding encoding),
    (handler, data, read, close, state, encoding))
XML_FUNCTION(int, xmlCtxtUseOptions, (xmlParserCtxtPtr context, int options), (context, options))
XML_FUNCTION(int, xmlParseDocument, (xmlParserCtxtPtr context), (context))
XML_FUNCTION(void, xmlStopParser, (xmlParserCtxtPtr context), (context))
XML_FUNCTION(void, xmlFreeDoc, (xmlDocPtr document), (document))
XML_FUNCTION(void, xmlFreeParserCtxt, (xmlParserCtxtPtr context), (context))
XML_FUNCTION(
    void, xmlSetStructuredErrorFunc, (void *data, xmlStructuredErrorFunc function),
    (data, function))

/* Variables of the thread. */
XML_FUNCTION(const char **, __xmlParserVersion, (void), ())
XML_FUNCTION(xmlStructuredErrorFunc *, __xmlStructuredError, (void), ())
XML_FUNCTION(void **, __xmlStructuredErrorContext, (void), ())

/* Encodings. */
XML_FUNCTION(xmlCharEncodingHandlerPtr, xmlFindCharEncodingHandler, (const char *name), (name))
XML_FUNCTION(
    int, xmlCharEncInFunc, (xmlCharEncodingHandler * handler, xmlBufferPtr out, xmlBufferPtr in),
    (handler, out, in))
XML_FUNCTION(
    int, xmlCharEncOutFunc, (xmlCharEncodingHandler * handler, xmlBufferPtr out, xmlBufferPtr in),
    (handler, out, in))
XML_FUNCTION(int, xmlCharEncCloseFunc, (xmlCharEncodingHandler * handler), (handler))
XML_FUNCTION(xmlBufferPtr, xmlBufferCreate, (void), ())
XML_FUNCTION(
    int, xmlBufferAdd, (xmlBufferPtr buffer, const xmlChar *text, int size), (buffer, text, size))
XML_FUNCTION(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer))
XML_FUNCTION(int, xmlBufferLength, (const xmlBuffer *buffer), (buffer))
XML_FUNCTION(void, xmlBufferFree, (xmlBufferPtr buffer), (buffer))

#endif
