#include "model/sweep.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace wattflex {
namespace {

template <class Enum>
struct Name {
  std::string_view text;
  Enum value;
};

// Looks a text up, letter case, '-' and '_' aside.
template <class Enum, std::size_t N>
std::optional<Enum> find_name(std::string_view text, const Name<Enum> (&names)[N]) {
  std::string plain;
  for (const char c : text) {
    plain += c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto* const found = std::ranges::find(names, plain, &Name<Enum>::text);
  if (found == std::end(names)) return std::nullopt;
  return found->value;
}

constexpr Name<Architecture> kArchitectures[] = {{"dense", Architecture::dense},
                                                 {"moe", Architecture::moe},
                                                 {"unknown", Architecture::unknown},
                                                 {"", Architecture::unknown}};
constexpr Name<Task> kTasks[] = {
    {"pretraining", Task::pretraining}, {"pt", Task::pretraining},  {"fine_tuning", Task::fine_tuning},
    {"finetuning", Task::fine_tuning},  {"ft", Task::fine_tuning},  {"training", Task::training},
    {"inference", Task::inference},     {"unknown", Task::unknown}, {"", Task::unknown}};
constexpr Name<PowerKind> kPowerKinds[] = {{"mean", PowerKind::mean},      {"average", PowerKind::mean},
                                           {"", PowerKind::mean},          {"p95", PowerKind::p95},
                                           {"peak", PowerKind::peak},      {"max", PowerKind::peak},
                                           {"instant", PowerKind::instant}};
// Clock-event reasons under the names NVML and nvidia-smi give them, and the plain words.
constexpr Name<Limiter> kLimiters[] = {{"", Limiter::unstated},
                                       {"unstated", Limiter::unstated},
                                       {"none", Limiter::none},
                                       {"power_cap", Limiter::power_cap},
                                       {"sw_power_cap", Limiter::power_cap},
                                       {"thermal", Limiter::thermal},
                                       {"hw_thermal", Limiter::thermal},
                                       {"sw_thermal", Limiter::thermal},
                                       {"hw_thermal_slowdown", Limiter::thermal},
                                       {"sw_thermal_slowdown", Limiter::thermal},
                                       {"hw_slowdown", Limiter::other},
                                       {"hw_power_brake", Limiter::other},
                                       {"hw_power_brake_slowdown", Limiter::other},
                                       {"sync_boost", Limiter::other},
                                       {"other", Limiter::other}};
constexpr Name<Pedigree> kPedigrees[] = {{"measured", Pedigree::measured},
                                         {"", Pedigree::measured},
                                         {"simulated", Pedigree::simulated},
                                         {"predicted", Pedigree::predicted}};

}  // namespace

std::string_view to_string(Architecture architecture) {
  switch (architecture) {
    case Architecture::dense:
      return "dense";
    case Architecture::moe:
      return "moe";
    case Architecture::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(Task task) {
  switch (task) {
    case Task::pretraining:
      return "pretraining";
    case Task::fine_tuning:
      return "fine-tuning";
    case Task::training:
      return "training";
    case Task::inference:
      return "inference";
    case Task::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(PowerKind kind) {
  switch (kind) {
    case PowerKind::mean:
      return "mean";
    case PowerKind::p95:
      return "p95";
    case PowerKind::peak:
      return "peak";
    case PowerKind::instant:
      return "instant";
  }
  std::unreachable();
}

std::string_view to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::unstated:
      return "unstated";
    case Limiter::none:
      return "none";
    case Limiter::power_cap:
      return "power_cap";
    case Limiter::thermal:
      return "thermal";
    case Limiter::other:
      return "other";
  }
  std::unreachable();
}

std::string_view to_string(Pedigree pedigree) {
  switch (pedigree) {
    case Pedigree::measured:
      return "measured";
    case Pedigree::simulated:
      return "simulated";
    case Pedigree::predicted:
      return "predicted";
  }
  std::unreachable();
}

std::optional<Architecture> parse_architecture(std::string_view text) {
  return find_name(text, kArchitectures);
}
std::optional<Task> parse_task(std::string_view text) {
  return find_name(text, kTasks);
}
std::optional<PowerKind> parse_power_kind(std::string_view text) {
  return find_name(text, kPowerKinds);
}
std::optional<Limiter> parse_limiter(std::string_view text) {
  return find_name(text, kLimiters);
}
std::optional<Pedigree> parse_pedigree(std::string_view text) {
  return find_name(text, kPedigrees);
}

}  // namespace wattflex
