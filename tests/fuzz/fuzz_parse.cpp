// Any text as a number, quantity, range or word of the vocabulary: never a crash, numbers always finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/parse.h"
#include "model/fleet.h"
#include "model/sweep.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wattflex;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto number = parse_number(text); number && !std::isfinite(*number)) std::abort();
  if (parse_integer(text) && !parse_number(text)) std::abort();
  if (const auto cut = parse_percent_or_power(text); !cut && cut.error().message.empty()) std::abort();
  if (const auto time = parse_duration(text); time && !std::isfinite(time->count())) std::abort();
  if (const auto range = parse_percent_range(text); range && (range->empty() || range->size() > 10'001))
    std::abort();
  (void)parse_flex_tier(text);
  (void)parse_limiter(text);
  (void)parse_task(text);
  return 0;
}
