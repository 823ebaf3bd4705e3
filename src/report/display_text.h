// Texts from outside (group names, file names) made fit to be shown. Not escaping: each renderer does its own
// on top, for its own language.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace wattflex::report {

// Valid UTF-8 on one line: malformed bytes become U+FFFD, control characters and line ends a space, and the
// characters that reorder or hide text (bidirectional overrides, zero-width ones) go. Longer than
// `most_characters` code points: the middle is left out and marked "…", as names differ at both ends.
std::string display_text(std::string_view text, std::size_t most_characters = 80);

// What may go to a terminal whole: line ends stay, every other control character (C0, C1) and the marks that
// reorder what follows (U+202A..202E, U+2066..2069) become "?", malformed bytes U+FFFD.
std::string terminal_text(std::string_view text);

// `text` in lines of at most `width` characters, broken at spaces; a longer word keeps its line to itself.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Prose made to fit a terminal: each line of `text` broken at spaces to at most `width` characters; a line
// that was broken goes on below its own first letter, `hanging` further in. Line breaks and spacing of the
// text stay.
std::string flowed(std::string_view text, std::size_t width, std::size_t hanging = 0);

// A cap to be set, in watts: "400", "400.7". Never rounded up, so that what is typed in from a page keeps its
// budget.
std::string cap_text(Power cap);
// A share that can be reached, in per cent: "73.13". Rounded down for the same reason.
std::string reachable_percent(double share);

// A difference of shares in points, with its sign: "+0.8", "-1.4". What rounds to nothing is "+0.0", on
// either side.
std::string points_text(double difference);
// A cut as people write it: "25 %", "12.5 %".
std::string cut_text(double share);

// Number of code points, which for the letters we print is the width in characters.
std::size_t character_count(std::string_view text);

// JSON text made safe inside an HTML <script> element: '<', '>', '&', U+2028 and U+2029 become \u escapes,
// which in JSON can only stand inside strings.
std::string json_for_script(std::string_view json);

}  // namespace wattflex::report
