// SIMD searches in a block of 16 bytes.
//
// They need two to three times fewer instructions than searches by 8-byte words. They use SSE2, which every x86-64
// processor has, or NEON, which every arm64 processor has. On other processors nothing is declared here, and the Swift
// code searches by words. They are in C because Swift has no operation that makes a bit mask of the lanes, and its SIMD
// types are very slow without optimization.
#ifndef SOCKEYE_BYTE_BLOCKS_H
#define SOCKEYE_BYTE_BLOCKS_H

#ifdef __SSE2__
#include <emmintrin.h>

// The index of the first lane that is all zeros; 16 if there is no such lane.
static inline __attribute__((always_inline)) long sockeye_first_cleared(__m128i lanes) {
    return __builtin_ctz(~(unsigned)_mm_movemask_epi8(lanes));
}

// A mask of the bytes that are at most `limit`, unsigned.
static inline __attribute__((always_inline)) __m128i sockeye_at_most(__m128i bytes, unsigned char limit) {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8((char)limit)), bytes);
}

// The index of the first control byte (CTL, including HTAB and DEL) of 16 bytes; 16 if there is no such byte.
static inline __attribute__((always_inline)) long sockeye_first_control(const void *block) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)block);
    const __m128i controls = _mm_or_si128(sockeye_at_most(bytes, 0x1F), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F)));
    return __builtin_ctz((unsigned)_mm_movemask_epi8(controls) | 0x10000u);
}

// The index of the first of 16 bytes that is not a letter, digit or hyphen; 16 if all are.
static inline __attribute__((always_inline)) long sockeye_first_unusual_in_names(const void *block) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)block);
    const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i letters = sockeye_at_most(_mm_sub_epi8(lower, _mm_set1_epi8('a')), 25);
    const __m128i digits = sockeye_at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9);
    const __m128i hyphens = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-'));
    return sockeye_first_cleared(_mm_or_si128(_mm_or_si128(letters, digits), hyphens));
}

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#include <arm_neon.h>

// The index of the first lane that is all ones; 16 if there is no such lane. Each lane is all ones or all zeros.
// NEON has no instruction that makes a bit mask. Shifting each pair of lanes right by four bits and narrowing it to a
// byte leaves four bits of each lane.
static inline __attribute__((always_inline)) long sockeye_first_set(uint8x16_t lanes) {
    const uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4);
    const unsigned long long mask = vget_lane_u64(vreinterpret_u64_u8(halves), 0);
    return mask == 0 ? 16 : __builtin_ctzll(mask) / 4;
}

// The index of the first control byte (CTL, including HTAB and DEL) of 16 bytes; 16 if there is no such byte.
static inline __attribute__((always_inline)) long sockeye_first_control(const void *block) {
    const uint8x16_t bytes = vld1q_u8((const unsigned char *)block);
    return sockeye_first_set(vorrq_u8(vcleq_u8(bytes, vdupq_n_u8(0x1F)), vceqq_u8(bytes, vdupq_n_u8(0x7F))));
}

// The index of the first of 16 bytes that is not a letter, digit or hyphen; 16 if all are.
static inline __attribute__((always_inline)) long sockeye_first_unusual_in_names(const void *block) {
    const uint8x16_t bytes = vld1q_u8((const unsigned char *)block);
    const uint8x16_t lower = vorrq_u8(bytes, vdupq_n_u8(0x20));
    const uint8x16_t letters = vcleq_u8(vsubq_u8(lower, vdupq_n_u8('a')), vdupq_n_u8(25));
    const uint8x16_t digits = vcleq_u8(vsubq_u8(bytes, vdupq_n_u8('0')), vdupq_n_u8(9));
    const uint8x16_t hyphens = vceqq_u8(bytes, vdupq_n_u8('-'));
    return sockeye_first_set(vmvnq_u8(vorrq_u8(vorrq_u8(letters, digits), hyphens)));
}
#endif

#endif
