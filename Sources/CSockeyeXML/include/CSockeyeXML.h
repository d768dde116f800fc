// A push parser over libxml2. Nothing of libxml2's own is seen through it, neither its headers, which may bring in others
// that clash with Foundation's, nor what differs between its versions.
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

// What the parser calls while it parses, each time with `handler`. Strings are UTF-8, end with 0 where no count is given,
// are NULL where there is none, and live until the function returns.
typedef struct {
    // `namespaces` are pairs of prefix and URI. `attributes` are of five pointers each: local name, prefix, URI, start and
    // end of the value. In values and URIs "&name;" stands for an entity and "&#38;" for an ampersand. The last
    // `default_count` attributes, and any of the namespaces, may stand in the DTD only.
    void (*start_element)(
        void *handler, const unsigned char *local, const unsigned char *prefix, int namespace_count,
        const unsigned char **namespaces, int attribute_count, int default_count, const unsigned char **attributes);
    // Of the innermost element that has started.
    void (*end_element)(void *handler);
    void (*text)(void *handler, const unsigned char *text, int count);
    void (*cdata)(void *handler, const unsigned char *text, int count);
    void (*comment)(void *handler, const unsigned char *text);
    void (*processing_instruction)(void *handler, const unsigned char *target, const unsigned char *data);
    void (*declare_entity)(
        void *handler, const unsigned char *name, sockeye_xml_entity kind, const unsigned char *content);
    // The DTD has a default for a declaration of a namespace, so elements may have some that do not stand there.
    void (*default_namespace)(void *handler);
    // Whether an entity is declared and may be referred to: 0 if not, which fails the document.
    int (*check_entity)(void *handler, const unsigned char *name);
    // A reference in text; the parser puts nothing in its place.
    void (*reference)(void *handler, const unsigned char *name);
    void (*parameter_entity)(void *handler, const unsigned char *name);
    void (*fault)(void *handler, sockeye_xml_fault fault, const char *message);
} sockeye_xml_callbacks;

// Where the parser stands: line and column counted from 1, and what it has of the text on either side, in UTF-8.
typedef struct {
    int line;
    int column;
    const unsigned char *text;
    size_t before;
    size_t after;
} sockeye_xml_place;

// Once in a process, before anything else.
void sockeye_xml_initialize(void);

// A parser that reports to `handler`; NULL without memory. It never goes to the network, never loads a DTD, and expands no
// entity.
sockeye_xml_parser *sockeye_xml_new(
    const sockeye_xml_callbacks *callbacks, void *handler, int ignores_encoding_declaration);

// Not from within a callback.
void sockeye_xml_free(sockeye_xml_parser *parser);

// Before anything is parsed; 0 unless the encoding is not known.
int sockeye_xml_set_encoding(sockeye_xml_parser *parser, const char *name);

void sockeye_xml_parse(sockeye_xml_parser *parser, const char *bytes, int count, int is_last);

// How many different names, and strings that are kept like them, the parser remembers until it is freed.
int sockeye_xml_count_names(const sockeye_xml_parser *parser);

int sockeye_xml_is_well_formed(const sockeye_xml_parser *parser);

sockeye_xml_place sockeye_xml_find_place(const sockeye_xml_parser *parser);

#endif
