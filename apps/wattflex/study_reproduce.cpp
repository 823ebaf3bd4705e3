#include "apps/wattflex/study_reproduce.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apps/wattflex/arguments.h"
#include "apps/wattflex/console.h"
#include "apps/wattflex/output.h"
#include "base/counted.h"
#include "study/reproduction.h"

namespace wattflex::app {
namespace {

// p values need a digit more than indices do, tokens per second none.
std::string cell(std::string_view quantity, std::optional<double> value) {
  if (!value) return "";
  if (std::abs(*value) >= 100) return fmt::format("{:.0f}", *value);
  return quantity.starts_with("p") ? fmt::format("{:.4f}", *value) : fmt::format("{:.3f}", *value);
}

std::string table_name(std::string_view table) {
  return table == "allocation" ? "Allocation study" : fmt::format("Table {}", table);
}

// How many of the published numbers that were simulated lie within two standard deviations.
std::string verdict(const std::vector<study::ReproducedNumber>& numbers) {
  const auto compared =
      std::ranges::count_if(numbers, [](const auto& number) { return number.published && number.simulated; });
  const auto apart = std::ranges::count_if(numbers, differs);
  return fmt::format(
      "{} of {} published numbers lie within two standard deviations of the simulated mean; * "
      "marks the {} that do not.",
      compared - apart, compared, apart);
}

std::vector<std::string> values_of(const study::ReproducedNumber& number) {
  return {cell(number.quantity, number.published),
          cell(number.quantity, number.recomputed),
          cell(number.quantity, number.noise_free),
          number.simulated ? cell(number.quantity, number.simulated->mean) : "",
          number.simulated ? cell(number.quantity, number.simulated->deviation) : "",
          differs(number) ? "*" : ""};
}

report::TextTable csv_of(std::span<const study::ReproducedNumber> numbers) {
  report::TextTable table({{"table", ""},
                           {"subject", ""},
                           {"quantity", ""},
                           {"published", ""},
                           {"recomputed", ""},
                           {"simulated_noise_free", ""},
                           {"simulated_mean", ""},
                           {"simulated_sd", ""},
                           {"differs", ""}});
  for (const study::ReproducedNumber& number : numbers) {
    std::vector<std::string> row = {table_name(number.table), number.subject, number.quantity};
    std::ranges::move(values_of(number), std::back_inserter(row));
    table.add_row(std::move(row));
  }
  return table;
}

// The numbers of one table of the paper. A subject with several has a line of its own above them, where the
// line with both would be too long or repeat it.
report::TextTable page(std::span<const study::ReproducedNumber> numbers) {
  using report::Align;
  constexpr std::size_t kMostLabel = 42;
  report::TextTable table({{"quantity", table_name(numbers.front().table), Align::left},
                           {"published", "published"},
                           {"recomputed", "recomputed"},
                           {"simulated_noise_free", "noise-free"},
                           {"simulated_mean", "simulated"},
                           {"simulated_sd", "+- sd"},
                           {"differs", "", Align::left}});
  std::string_view above;
  for (const study::ReproducedNumber& number : numbers) {
    const auto alike = std::ranges::count(numbers, number.subject, &study::ReproducedNumber::subject);
    std::string label = number.subject + ": " + number.quantity;
    if (alike > 1 || label.size() > kMostLabel) {
      if (above != number.subject) table.add_row({number.subject});
      label = "  " + number.quantity;
    }
    above = number.subject;
    std::vector<std::string> row = {label};
    std::ranges::move(values_of(number), std::back_inserter(row));
    table.add_row(std::move(row));
  }
  return table;
}

void print_pages(std::span<const study::ReproducedNumber> numbers, Console& console) {
  while (!numbers.empty()) {
    const auto other = std::ranges::find_if(numbers, [&](const study::ReproducedNumber& number) {
      return number.table != numbers.front().table;
    });
    const auto count = static_cast<std::size_t>(other - numbers.begin());
    console.print(page(numbers.first(count)));
    console.say("");
    numbers = numbers.subspan(count);
  }
}

nlohmann::json document(const std::vector<study::ReproducedNumber>& numbers,
                        const study::ReproductionOptions& options) {
  nlohmann::json rows = nlohmann::json::array();
  for (const study::ReproducedNumber& number : numbers) {
    nlohmann::json row = {{"table", number.table},
                          {"subject", number.subject},
                          {"quantity", number.quantity},
                          {"published", or_null(number.published)},
                          {"recomputed", or_null(number.recomputed)},
                          {"simulated_noise_free", or_null(number.noise_free)},
                          {"simulated", nullptr}};
    if (number.simulated)
      row["simulated"] = {{"mean", number.simulated->mean}, {"sd", number.simulated->deviation}};
    rows.push_back(std::move(row));
  }
  return {{"status", "done"},       {"source", "arXiv:2609.11542v1"}, {"seed", options.seed},
          {"seeds", options.seeds}, {"workloads", options.workloads}, {"numbers", std::move(rows)}};
}

}  // namespace

bool differs(const study::ReproducedNumber& number) {
  constexpr double kPrinted = 0.0005;  // three decimals, rounded
  return number.published && number.simulated &&
         std::abs(*number.published - number.simulated->mean) > 2 * number.simulated->deviation + kPrinted;
}

Result<Outcome> reproduce_paper(const Arguments& arguments, Console& console) {
  const auto seed = arguments.integer("seed", 0, 1'000'000'000);
  const auto seeds = arguments.integer("seeds", 1, 1'000);
  const auto workloads = arguments.integer("workloads", 1, 100'000);
  if (!seed) return std::unexpected(seed.error());
  if (!seeds) return std::unexpected(seeds.error());
  if (!workloads) return std::unexpected(workloads.error());
  const study::ReproductionOptions options{.seed = static_cast<std::uint64_t>(*seed),
                                           .seeds = static_cast<int>(*seeds),
                                           .workloads = static_cast<int>(*workloads)};
  const auto numbers = study::reproduce(options, [&](double done) { console.progress("simulating", done); });
  console.end_progress();
  if (!numbers) return std::unexpected(numbers.error());
  if (console.format() == Format::json) {
    print_json(document(*numbers, options), console);
    return Outcome::done;
  }
  console.say(
      "The paper's numbers (arXiv:2609.11542v1) and ours.\n"
      "published   as printed in the paper\n"
      "recomputed  by this program from other published figures (two-decimal indices)\n"
      "noise-free  simulated: the cohort through the measuring chain without noise\n"
      "simulated   the same with noise, mean and standard deviation over seeds\n");
  if (console.format() == Format::csv) {
    console.print(csv_of(*numbers));
    return Outcome::done;
  }
  print_pages(*numbers, console);
  console.say(verdict(*numbers));
  console.say(
      fmt::format("\n{} from {}, {}. The cohort's physics was searched so that the noise-free "
                  "indices of Tables 6 to 9 agree; Tables 3 and 10 to 13 and the allocation study were not.",
                  counted(options.seeds, "seed"), options.seed, counted(options.workloads, "workload")));
  return Outcome::done;
}

}  // namespace wattflex::app
