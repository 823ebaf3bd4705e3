#include "ingest/logs/line_format.h"

#include <algorithm>
#include <array>

namespace wattflex::logs {
namespace {

struct Name {
  Framework framework;
  std::string_view text;
};

constexpr std::array kNames = {
    Name{Framework::user_pattern, "pattern"},  Name{Framework::megatron, "megatron"},
    Name{Framework::torchtitan, "torchtitan"}, Name{Framework::nemo, "nemo"},
    Name{Framework::maxtext, "maxtext"},       Name{Framework::litgpt, "litgpt"},
    Name{Framework::torchtune, "torchtune"},   Name{Framework::nanogpt, "nanogpt"},
    Name{Framework::hugging_face, "hf"},       Name{Framework::deepspeed, "deepspeed"},
    Name{Framework::lightning, "lightning"},   Name{Framework::generic, "generic"}};

}  // namespace

std::string_view to_string(Framework framework) {
  return std::ranges::find(kNames, framework, &Name::framework)->text;
}

std::optional<Framework> parse_framework(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, &Name::text);
  return found == kNames.end() ? std::nullopt : std::optional(found->framework);
}

std::string_view to_string(TokenKind kind) {
  switch (kind) {
    case TokenKind::padded:
      return "padded";
    case TokenKind::real:
      return "real";
    case TokenKind::unknown:
      break;
  }
  return "unknown";
}

std::vector<std::unique_ptr<LineFormat>> all_formats() {
  std::vector<std::unique_ptr<LineFormat>> formats;
  formats.push_back(megatron_format());
  formats.push_back(torchtitan_format());
  formats.push_back(nemo_format());
  formats.push_back(maxtext_format());
  formats.push_back(litgpt_format());
  formats.push_back(torchtune_format());
  formats.push_back(nanogpt_format());
  formats.push_back(hugging_face_format());
  formats.push_back(deepspeed_format());
  formats.push_back(lightning_format());
  formats.push_back(generic_format());
  return formats;
}

}  // namespace wattflex::logs
