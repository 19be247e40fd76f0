// What is linked comes from pkg-config, so that a build without libplist works.
#if __has_include(<plist/plist.h>)
#include <plist/plist.h>
#endif
