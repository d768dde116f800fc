// Written by Scripts/update-public-suffixes.py; not to be edited.
//
// From the Public Suffix List, https://publicsuffix.org/list/, version e8c9a2b2 of 2026-08-19.
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
// distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.

/// All 10248 rules, in parts that follow one another; read by `PublicSuffixList`.
enum PublicSuffixData {
    static let partCount = 5

    /// A part by its number, from 0.
    static func part(_ number: Int) -> StaticString {
        switch number {
        case 0: PublicSuffixData1.rules
        case 1: PublicSuffixData2.rules
        case 2: PublicSuffixData3.rules
        case 3: PublicSuffixData4.rules
        default: PublicSuffixData5.rules
        }
    }
}
