// A figure as a gnuplot script. Every text from outside goes in as octal escapes of a double-quoted string,
// so no character of a group name is ever read by gnuplot as a command, a back-quoted program, a format or
// markup.
#pragma once

#include <string>
#include <string_view>

#include "report/figure.h"

namespace wattflex::report {

enum class ImageFormat { svg, png };

// `text` as a gnuplot string literal that means exactly `text`.
std::string gnuplot_string(std::string_view text);

// Draws `figure` into the file `path`; complete in itself.
std::string gnuplot_script(const Figure& figure, ImageFormat format, std::string_view path);

}  // namespace wattflex::report
