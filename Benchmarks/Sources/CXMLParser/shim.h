// ICU's types, which Debian's libxml2 headers pull in, clash with Foundation's copy of them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
