// Debian's libxml2 headers pull in ICU, whose types clash with Foundation's copy of them. Nothing
// here needs ICU: without this definition the headers leave it out.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>

// A global variable, which Swift does not import: the version of the library in use, as 20914.
static inline const char *libxml2_version_in_use(void) { return xmlParserVersion; }
