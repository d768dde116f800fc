// Constant tables that Swift reads in place: nothing is unpacked, copied or allocated. Programs in Scripts generate
// them.
#ifndef CSOCKEYE_DATA_H
#define CSOCKEYE_DATA_H

#include <stdint.h>

// A constant array and the number of its elements.
typedef struct __attribute__((swift_attr("@Sendable"))) {
    const void *_Nonnull elements;
    long count;
} sockeye_table;

// The public suffix list: text in ASCII, sorted rules with one space between them. A plus sign follows each rule that
// only the list's private section has.
extern const sockeye_table sockeye_public_suffixes;

// A run of code points with the same UTS 46 mapping, up to the start of the next run.
typedef struct {
    uint32_t start;
    // 0: valid. 1: disallowed. 2: ignored. 3: shifted, mapped to the code point that is `operand` higher.
    // 4: alternating: the first code point and every second one after it are mapped to their successors; the others
    // are valid.
    // 5: replaced by `count` code points, from the index `operand` of the replacements on.
    uint8_t kind;
    uint8_t count;
    int32_t operand;
} sockeye_mapping;

// Sorted by start, from code point 0 on.
extern const sockeye_table sockeye_mappings;
// Code points as uint32_t.
extern const sockeye_table sockeye_replacements;

// A run of code points with the same properties, up to the start of the next run.
typedef struct {
    uint32_t start;
    uint8_t combining_class;
    // 0: other; 1: L; 2: R; 3: AL; 4: AN; 5: EN; 6: NSM; 7: ES, CS, ET, ON or BN.
    uint8_t bidi;
    // 0: other; 1: left; 2: right; 3: dual; 4: transparent.
    uint8_t joining;
    // 1 if the general category is Mark.
    uint8_t is_mark;
} sockeye_property;

// Sorted by start, from code point 0 on.
extern const sockeye_table sockeye_properties;

// The canonical decomposition of a code point; `second` is 0 for a single code point. Only `first` may decompose
// further.
typedef struct {
    uint32_t point;
    uint32_t first;
    uint32_t second;
} sockeye_decomposition;

// Sorted by code point, without Hangul.
extern const sockeye_table sockeye_decompositions;

// The primary composite of two code points. The table is sorted by the second code point first. For most pairs in
// ordinary text, the second code point is below all entries of the table, so that the search ends at once.
typedef struct {
    uint32_t second;
    uint32_t first;
    uint32_t composite;
} sockeye_composition;

// Sorted by second and first code point, without Hangul.
extern const sockeye_table sockeye_compositions;

// Text in ASCII: the names of the single-byte encodings with one space between them.
extern const sockeye_table sockeye_single_byte_names;
// UTF-16 code units as uint16_t, 128 for each encoding: the characters of the bytes from 0x80 on. 0xFFFD for bytes
// without a character.
extern const sockeye_table sockeye_single_byte_characters;

// A run of pointers of an index (WHATWG Encoding, 5). It ends where the next run starts.
typedef struct {
    // The first pointer.
    uint16_t start : 15;
    // 0: the code points are consecutive from `value` on; if `value` is 0, the pointers have no code points. 1: the
    // code points are listed in the index's table of points, such as sockeye_big5_points, from element `value` on.
    uint16_t is_listed : 1;
    uint16_t value;
} sockeye_index_run;

// The runs of each index, sorted by start, from pointer 0 on, and its points: the listed code points as uint16_t, 0 if
// a pointer has no code point.
extern const sockeye_table sockeye_big5_runs, sockeye_big5_points;
extern const sockeye_table sockeye_euc_kr_runs, sockeye_euc_kr_points;
extern const sockeye_table sockeye_gb18030_runs, sockeye_gb18030_points;
extern const sockeye_table sockeye_jis0208_runs, sockeye_jis0208_points;
extern const sockeye_table sockeye_jis0212_runs, sockeye_jis0212_points;
// A bit for each pointer of Big5: 1 if its code point is in plane 2. sockeye_big5_runs and sockeye_big5_points have
// only the lower 16 bits of such a code point. The elements are uint8_t, lowest bit first.
extern const sockeye_table sockeye_big5_planes;

// A range of pointers of the four-byte sequences of gb18030, with consecutive code points. It ends where the next range
// starts.
typedef struct {
    uint16_t start;
    uint16_t point;
} sockeye_index_range;

// Sorted by start, from pointer 0 on, for the code points below U+10000.
extern const sockeye_table sockeye_gb18030_ranges;

#endif
