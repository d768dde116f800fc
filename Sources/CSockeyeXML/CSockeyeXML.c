#include "CSockeyeXML.h"

// Empty without the trait XML, so that building all targets does not require libxml2.
#ifdef SOCKEYE_XML

#include <stdlib.h>
#include <string.h>

#include <libxml/encoding.h>
#include <libxml/entities.h>
#include <libxml/parser.h>  // before dict.h, which needs its declarations
#include <libxml/dict.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/valid.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError sockeye_xml_error;
#else
typedef xmlError sockeye_xml_error;
#endif

struct sockeye_xml_parser {
    xmlParserCtxtPtr context;
    sockeye_xml_callbacks callbacks;
    void *handler;
    // The entity that libxml2 gets in place of every declared entity.
    xmlEntity placeholder;
};

static sockeye_xml_parser *parser_of(void *data) { return data; }

// MARK: Content

static void start_element(
    void *data, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int default_count, const xmlChar **attributes) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.start_element(
        parser->handler, local, prefix, namespace_count, namespaces, attribute_count, default_count, attributes);
}

static void end_element(void *data, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.end_element(parser->handler);
}

static void text(void *data, const xmlChar *text, int count) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.text(parser->handler, text, count);
}

static void cdata(void *data, const xmlChar *text, int count) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.cdata(parser->handler, text, count);
}

// Comments and processing instructions in the DTD are not content.
static void comment(void *data, const xmlChar *text) {
    sockeye_xml_parser *parser = parser_of(data);
    if (!parser->context->inSubset) parser->callbacks.comment(parser->handler, text);
}

static void processing_instruction(void *data, const xmlChar *target, const xmlChar *content) {
    sockeye_xml_parser *parser = parser_of(data);
    if (!parser->context->inSubset) parser->callbacks.processing_instruction(parser->handler, target, content);
}

// MARK: The DTD

static void declare_attribute(
    void *data, const xmlChar *element, const xmlChar *name, int type, int kind, const xmlChar *value,
    xmlEnumerationPtr values) {
    sockeye_xml_parser *parser = parser_of(data);
    xmlFreeEnumeration(values);  // the callee owns them
    if (value == NULL) return;
    // libxml2 checks the names of written attributes (Namespaces in XML 1.0, 7), but not those of default attributes.
    if (xmlValidateQName(name, 0) != 0) {
        parser->callbacks.fault(
            parser->handler, SOCKEYE_XML_NAMESPACE, "a default is declared for an attribute whose name is not a qualified name");
        return;
    }
    int is_namespace = xmlStrncmp(name, BAD_CAST "xmlns", 5) == 0 && (name[5] == 0 || name[5] == ':');
    parser->callbacks.declare_default(parser->handler, element, is_namespace);
}

static void declare_entity(
    void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content) {
    sockeye_xml_parser *parser = parser_of(data);
    sockeye_xml_entity kind = SOCKEYE_XML_PARAMETER;
    if (type == XML_INTERNAL_GENERAL_ENTITY) kind = SOCKEYE_XML_INTERNAL;
    if (type == XML_EXTERNAL_GENERAL_PARSED_ENTITY) kind = SOCKEYE_XML_EXTERNAL;
    if (type == XML_EXTERNAL_GENERAL_UNPARSED_ENTITY) kind = SOCKEYE_XML_UNPARSED;
    parser->callbacks.declare_entity(parser->handler, name, kind, content);
}

static void declare_unparsed_entity(
    void *data, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id, const xmlChar *notation) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.declare_entity(parser->handler, name, SOCKEYE_XML_UNPARSED, NULL);
}

// Makes `entity` an empty entity of this name that libxml2 treats as parsed. libxml2 only checks that the entity
// exists, and then reports the name of each reference. The entity has no content, so libxml2 cannot expand a reference.
static void fill_placeholder(xmlEntityPtr entity, const xmlChar *name) {
    static xmlChar nothing[1] = {0};
    memset(entity, 0, sizeof *entity);
    entity->type = XML_ENTITY_DECL;
    entity->name = name;
    entity->etype = XML_INTERNAL_GENERAL_ENTITY;
    entity->content = nothing;
    entity->orig = nothing;  // otherwise libxml2 stores its own string there
#if LIBXML_VERSION >= 21100
    entity->flags = 3;  // parsed and checked
#else
    // Not 0, so libxml2 does not check the content. Bit 0 is clear: the content has no '<'. The other bits are the
    // number that libxml2 adds to its count of references for each reference to the entity: 1.
    entity->checked = 2;
#endif
}

static xmlEntityPtr get_entity(void *data, const xmlChar *name) {
    sockeye_xml_parser *parser = parser_of(data);
    if (!parser->callbacks.check_entity(parser->handler, name)) return NULL;
    fill_placeholder(&parser->placeholder, name);
    return &parser->placeholder;
}

static xmlEntityPtr get_parameter_entity(void *data, const xmlChar *name) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.parameter_entity(parser->handler, name);
    return NULL;
}

static void reference(void *data, const xmlChar *name) {
    sockeye_xml_parser *parser = parser_of(data);
    parser->callbacks.reference(parser->handler, name);
}

// Refuses to load external entities and DTDs.
static xmlParserInputPtr resolve_entity(void *data, const xmlChar *public_id, const xmlChar *system_id) { return NULL; }

// MARK: Errors

static sockeye_xml_fault classify(int code) {
    switch (code) {
    case XML_ERR_INVALID_CHAR:
    case XML_ERR_INVALID_CHARREF:
    case XML_ERR_INVALID_ENCODING:
    case XML_I18N_CONV_FAILED: return SOCKEYE_XML_CHARACTER;
    case XML_ERR_UNSUPPORTED_ENCODING:
    case XML_ERR_UNKNOWN_ENCODING: return SOCKEYE_XML_ENCODING;
    case XML_ERR_UNDECLARED_ENTITY: return SOCKEYE_XML_UNDECLARED_ENTITY;
    case XML_ERR_ENTITY_LOOP: return SOCKEYE_XML_ENTITY_LOOP;
    case XML_ERR_NO_MEMORY: return SOCKEYE_XML_NO_MEMORY;
    case XML_ERR_NAME_TOO_LONG: return SOCKEYE_XML_TOO_LARGE;
    default: return SOCKEYE_XML_MALFORMED;
    }
}

// Reports fatal errors and namespace errors. Errors about namespace URIs are ignored, because a URI need not be valid
// or absolute. Other non-fatal errors are ignored, because they concern validity.
static void error(void *data, sockeye_xml_error *error) {
    sockeye_xml_parser *parser = parser_of(data);
    if (parser == NULL || error == NULL) return;
    if (error->level == XML_ERR_FATAL) {
        parser->callbacks.fault(parser->handler, classify(error->code), error->message);
    } else if (
        error->level == XML_ERR_ERROR && error->domain == XML_FROM_NAMESPACE && error->code != XML_WAR_NS_URI &&
        error->code != XML_WAR_NS_URI_RELATIVE) {
        parser->callbacks.fault(parser->handler, SOCKEYE_XML_NAMESPACE, error->message);
    }
}

// MARK: The parser

static const xmlSAXHandler handlers = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = start_element,
    .endElementNs = end_element,
    .characters = text,
    .ignorableWhitespace = text,  // the same function, so that libxml2 does not classify blanks
    .cdataBlock = cdata,
    .comment = comment,
    .processingInstruction = processing_instruction,
    .attributeDecl = declare_attribute,
    .entityDecl = declare_entity,
    .unparsedEntityDecl = declare_unparsed_entity,
    .getEntity = get_entity,
    .getParameterEntity = get_parameter_entity,
    .reference = reference,
    .resolveEntity = resolve_entity,
    .serror = error,
};

void sockeye_xml_initialize(void) { xmlInitParser(); }

sockeye_xml_parser *sockeye_xml_new(
    const sockeye_xml_callbacks *callbacks, void *handler, int ignores_encoding_declaration) {
    sockeye_xml_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) return NULL;
    parser->callbacks = *callbacks;
    parser->handler = handler;
    xmlSAXHandler copy = handlers;  // xmlCreatePushParserCtxt copies it, although its parameter is not const
    parser->context = xmlCreatePushParserCtxt(&copy, parser, NULL, 0, NULL);
    if (parser->context == NULL) {
        free(parser);
        return NULL;
    }
    // Without XML_PARSE_NOENT (expands entities), XML_PARSE_DTDLOAD (loads DTDs) and XML_PARSE_HUGE (lifts limits).
    int options = XML_PARSE_NONET;
    if (ignores_encoding_declaration) options |= XML_PARSE_IGNORE_ENC;
    xmlCtxtUseOptions(parser->context, options);
    return parser;
}

void sockeye_xml_free(sockeye_xml_parser *parser) {
    if (parser == NULL) return;
    // Some versions create a document for the entities of a DTD, and leave it to the caller to free.
    xmlDocPtr document = parser->context->myDoc;
    parser->context->myDoc = NULL;
    xmlFreeParserCtxt(parser->context);
    if (document != NULL) xmlFreeDoc(document);
    free(parser);
}

// libxml2 reports errors of character conversion to the thread's handlers instead of the parser's, and those handlers
// print by default. Between take_errors and give_back_errors these errors go to `error`, and nothing is printed.
typedef struct {
    xmlStructuredErrorFunc function;
    void *data;
    xmlGenericErrorFunc text_function;
    void *text_data;
} error_functions;

static void ignore(void *data, const char *format, ...) {}

static error_functions take_errors(sockeye_xml_parser *parser) {
    error_functions before = {
        xmlStructuredError, xmlStructuredErrorContext, xmlGenericError, xmlGenericErrorContext};
    xmlSetStructuredErrorFunc(parser, error);
    xmlSetGenericErrorFunc(NULL, ignore);
    return before;
}

static void give_back_errors(error_functions before) {
    xmlSetGenericErrorFunc(before.text_data, before.text_function);
    xmlSetStructuredErrorFunc(before.data, before.function);
}

int sockeye_xml_set_encoding(sockeye_xml_parser *parser, const char *name) {
    error_functions before = take_errors(parser);
    xmlCharEncodingHandlerPtr encoding = xmlFindCharEncodingHandler(name);
    int result = encoding == NULL ? -1 : xmlSwitchToEncoding(parser->context, encoding);
    give_back_errors(before);
    return result;
}

void sockeye_xml_parse(sockeye_xml_parser *parser, const char *bytes, int count, int is_last) {
    error_functions before = take_errors(parser);
    int result = xmlParseChunk(parser->context, bytes, count, is_last);
    give_back_errors(before);
    if (result == XML_ERR_INVALID_ENCODING) {
        parser->callbacks.fault(parser->handler, SOCKEYE_XML_CHARACTER, "the bytes are not valid in the encoding");
    }
}

// Sets the same fields as a fatal error of libxml2 does. libxml2's loop over the input checks these fields before each
// tag, text or declaration. A callback may call this function, so this function does not call xmlStopParser: that
// would free buffers that libxml2 may still use after the callback.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
void sockeye_xml_stop(sockeye_xml_parser *parser) {
    parser->context->wellFormed = 0;
    parser->context->disableSAX = 1;
    if (parser->context->errNo == XML_ERR_OK) parser->context->errNo = XML_ERR_USER_STOP;
}
#pragma GCC diagnostic pop

int sockeye_xml_count_names(const sockeye_xml_parser *parser) {
    return parser->context->dict == NULL ? 0 : xmlDictSize(parser->context->dict);
}

int sockeye_xml_is_well_formed(const sockeye_xml_parser *parser) { return parser->context->wellFormed; }

sockeye_xml_place sockeye_xml_find_place(const sockeye_xml_parser *parser) {
    sockeye_xml_place place = {1, 1, NULL, 0, 0};
    xmlParserInputPtr input = parser->context->input;
    if (input == NULL) return place;
    place.line = input->line;
    place.column = input->col;
    if (input->base == NULL || input->cur < input->base || input->end < input->cur) return place;
    // While the parser converts input, the buffer may have moved, and these pointers still refer to the old buffer.
    if (input->buf != NULL && input->buf->buffer != NULL) {
        const xmlChar *content = xmlBufContent(input->buf->buffer);
        if (content == NULL || input->base < content || input->end > content + xmlBufUse(input->buf->buffer)) return place;
    }
    place.text = input->base;
    place.before = (size_t)(input->cur - input->base);
    place.after = (size_t)(input->end - input->cur);
    return place;
}

#endif
