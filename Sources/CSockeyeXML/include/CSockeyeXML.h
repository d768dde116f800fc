// A push parser over libxml2. It hides the headers of libxml2, which may include ICU's, because these clash with
// Foundation's. It also hides the differences between versions of libxml2.
#ifndef SOCKEYE_XML_H
#define SOCKEYE_XML_H

#include <stddef.h>

typedef struct sockeye_xml_parser sockeye_xml_parser;

typedef enum {
    SOCKEYE_XML_MALFORMED,
    SOCKEYE_XML_NAMESPACE,
    SOCKEYE_XML_CHARACTER,
    SOCKEYE_XML_ENCODING,
    SOCKEYE_XML_UNDECLARED_ENTITY,
    SOCKEYE_XML_ENTITY_LOOP,
    SOCKEYE_XML_TOO_LARGE,
    SOCKEYE_XML_NO_MEMORY
} sockeye_xml_fault;

typedef enum {
    SOCKEYE_XML_INTERNAL,
    SOCKEYE_XML_EXTERNAL,
    SOCKEYE_XML_UNPARSED,
    SOCKEYE_XML_PARAMETER
} sockeye_xml_entity;

// The functions that the parser calls, each with `handler` as the first argument. Strings are UTF-8, NULL if absent,
// and valid until the function returns. Strings without a count end with a zero byte.
typedef struct {
    // `namespaces` has a prefix and a URI for each namespace. `attributes` has five pointers for each attribute: local
    // name, prefix, URI, start and end of the value. In values and URIs, "&name;" stands for an entity and "&#38;" for
    // an ampersand. The last `default_count` attributes are defaults of the DTD. Any of the namespaces may be a
    // default, too.
    void (*start_element)(
        void *handler, const unsigned char *local, const unsigned char *prefix, int namespace_count,
        const unsigned char **namespaces, int attribute_count, int default_count, const unsigned char **attributes);
    // Ends the innermost open element.
    void (*end_element)(void *handler);
    void (*text)(void *handler, const unsigned char *text, int count);
    void (*cdata)(void *handler, const unsigned char *text, int count);
    void (*comment)(void *handler, const unsigned char *text);
    void (*processing_instruction)(void *handler, const unsigned char *target, const unsigned char *data);
    void (*declare_entity)(
        void *handler, const unsigned char *name, sockeye_xml_entity kind, const unsigned char *content);
    // The DTD declares a default for an attribute of an element, or for a namespace of the element if the attribute is
    // an xmlns attribute. Equal element names have equal pointers, which stay valid until the parser is freed.
    void (*declare_default)(void *handler, const unsigned char *element, int is_namespace);
    // Returns 1 if an entity is declared and may be referenced. If it returns 0, the document is refused.
    int (*check_entity)(void *handler, const unsigned char *name);
    // An entity reference in text; the parser does not expand it.
    void (*reference)(void *handler, const unsigned char *name);
    void (*parameter_entity)(void *handler, const unsigned char *name);
    void (*fault)(void *handler, sockeye_xml_fault fault, const char *message);
} sockeye_xml_callbacks;

// The parser's position: line and column counted from 1, and the buffered text on both sides, in UTF-8. `text` has
// `before` bytes before the position and `after` bytes after it; NULL if the buffer cannot be read at the moment.
typedef struct {
    int line;
    int column;
    const unsigned char *text;
    size_t before;
    size_t after;
} sockeye_xml_place;

// Must be called once in a process, before any other function.
void sockeye_xml_initialize(void);

// Creates a parser that reports to `handler`; NULL if memory is short. The parser never accesses the network, never
// loads a DTD, and expands no entity.
sockeye_xml_parser *sockeye_xml_new(
    const sockeye_xml_callbacks *callbacks, void *handler, int ignores_encoding_declaration);

// Must not be called from a callback.
void sockeye_xml_free(sockeye_xml_parser *parser);

// Must be called before parsing. Returns 0, or another number if the encoding is unknown.
int sockeye_xml_set_encoding(sockeye_xml_parser *parser, const char *name);

void sockeye_xml_parse(sockeye_xml_parser *parser, const char *bytes, int count, int is_last);

// Stops parsing: the parser reports no further content, and ignores the rest of its input. May be called from a
// callback.
void sockeye_xml_stop(sockeye_xml_parser *parser);

// The number of different strings, mostly names, in the parser's dictionary, which exists until the parser is freed.
int sockeye_xml_count_names(const sockeye_xml_parser *parser);

// Returns 0 after a fatal error and after sockeye_xml_stop, otherwise 1.
int sockeye_xml_is_well_formed(const sockeye_xml_parser *parser);

sockeye_xml_place sockeye_xml_find_place(const sockeye_xml_parser *parser);

#endif
