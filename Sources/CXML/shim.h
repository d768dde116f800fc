// Found through pkg-config for CSockeyeXML, and imported by nobody: the headers of libxml2 may include those of ICU, which
// clash with the ones that Foundation brings.
#include <libxml/xmlversion.h>
