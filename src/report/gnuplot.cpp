#include "report/gnuplot.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "base/held_signals.h"
#include "report/child_process.h"
#include "report/gnuplot_script.h"
#include "report/palette.h"

namespace wattflex::report {
namespace {

constexpr const char* kRemedy = "install it: apt-get install gnuplot-nox";

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "#0072b2" as gnuplot writes it once spaces are gone: "rgb(0,114,178)".
std::string rgb(std::string_view hex) {
  const auto part = [&](std::size_t at) { return std::stoi(std::string(hex.substr(at, 2)), nullptr, 16); };
  return fmt::format("rgb({},{},{})", part(1), part(3), part(5));
}

std::string swap_rule(std::string_view light, std::string_view dark) {
  const std::string from = rgb(light);
  return fmt::format(
      "[fill=\"{0}\"],[fill=\"{2}\"]{{fill:{1}}}[stroke=\"{0}\"]{{stroke:{1}}}[color=\"{0}\"]{{color:{1}}}",
      from, dark, light);
}

// Style that turns every light shade into its dark one where the reader prefers dark.
std::string theme_style() {
  std::string rules = swap_rule(kLightGround, kDarkGround);
  for (const Shade& shade : kShades) rules += swap_rule(shade.light, shade.dark);
  return "<style>text{font-family:system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",sans-serif}"
         "[font-family$=\":Bold\"] text{font-weight:600}"
         "@media (prefers-color-scheme:dark){" +
         rules + "}</style>";
}

// gnuplot pads colours ("rgb(  0, 114, 178)"); the style sheet needs one spelling to select by.
std::string one_colour_spelling(const std::string& svg) {
  std::string out;
  out.reserve(svg.size());
  std::size_t from = 0;
  for (std::size_t at = svg.find("rgb("); at != std::string::npos; at = svg.find("rgb(", from)) {
    const std::size_t end = svg.find(')', at);
    if (end == std::string::npos) break;
    out.append(svg, from, at - from);
    const char quote = svg[at - 1];
    for (std::size_t i = at; i <= end; ++i) {
      if ((quote != '"' && quote != '\'') || svg[i] != ' ') out += svg[i];
    }
    from = end + 1;
  }
  return out.append(svg, from, std::string::npos);
}

std::string with_theme(const std::string& svg) {
  std::string out = one_colour_spelling(svg);
  const std::size_t start = out.find("<title>");
  if (start != std::string::npos) out.insert(start, theme_style() + "\n");
  return out;
}

// gnuplot does not tell when its files find no room.
bool is_whole_svg(std::string_view svg) {
  return svg.substr(0, svg.find_last_not_of(" \r\n") + 1).ends_with("</svg>");
}

bool is_whole_png(std::string_view png) {
  constexpr std::string_view kLastChunk("\0\0\0\0IEND\xAE\x42\x60\x82", 12);
  return png.ends_with(kLastChunk);
}

std::unexpected<Error> not_drawn(const Figure& figure, const GnuplotOptions& options,
                                 const std::filesystem::path& folder, int status) {
  const std::string messages = contents(folder / "messages").substr(0, 400);
  if (status != 0 && !messages.empty()) {
    return fail(ErrorKind::io,
                fmt::format("figure '{}': {} failed: {}", figure.id, options.program, messages), kRemedy);
  }
  return fail(ErrorKind::io,
              fmt::format("figure '{}': {} could not write it whole to {}", figure.id, options.program,
                          folder.parent_path().string()),
              "is the disk full, or the size of files limited (ulimit -f)? TMPDIR names another folder");
}

}  // namespace

Result<std::vector<Drawing>> draw_with_gnuplot(std::span<const Figure> figures,
                                               const GnuplotOptions& options) {
  const SignalsHeldBack held;  // else Ctrl-C would leave the folder
  const auto folder = TemporaryFolder::create();
  if (!folder) return std::unexpected(folder.error());
  const auto file = [](std::size_t i, const char* ending) { return fmt::format("figure{}.{}", i, ending); };

  std::ofstream input(folder->path() / "input", std::ios::binary);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    input << gnuplot_script(figures[i], ImageFormat::svg, file(i, "svg"));
    if (options.with_png) input << gnuplot_script(figures[i], ImageFormat::png, file(i, "png"));
  }
  input.close();
  if (!input)
    return fail(ErrorKind::io, "temporary folder: cannot write the figures' script", "is the disk full?");

  // -d: no start-up file of the user's may change the figures.
  const auto status =
      run({.command = {options.program, "-d"}, .folder = folder->path(), .time_limit = options.time_limit});
  if (!status) return fail(status.error().kind, "figures: " + status.error().message, kRemedy);
  std::vector<Drawing> drawings;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    Drawing drawing{with_theme(contents(folder->path() / file(i, "svg"))),
                    options.with_png ? contents(folder->path() / file(i, "png")) : ""};
    if (*status != 0 || !is_whole_svg(drawing.svg) || (options.with_png && !is_whole_png(drawing.png)))
      return not_drawn(figures[i], options, folder->path(), *status);
    drawings.push_back(std::move(drawing));
  }
  return drawings;
}

}  // namespace wattflex::report
