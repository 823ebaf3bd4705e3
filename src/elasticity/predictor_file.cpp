#include "elasticity/predictor_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>

#include "base/counted.h"
#include "elasticity/feature.h"

namespace wattflex::elasticity {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "wattflex-predictor";
constexpr int kVersion = 1;
constexpr std::size_t kLargestFile = 4 << 20;  // a predictor over thousands of groups stays below 1 MiB
constexpr std::size_t kMostFeatures = 64;      // there are about twenty

// Thrown inside this file only; parse_predictor turns it into an Error.
struct Malformed {
  std::string message;
};

Json to_json(const stats::FitScores& scores) {
  return {{"r_squared", scores.r_squared},
          {"rmse", scores.rmse},
          {"rho", scores.rho ? Json(*scores.rho) : Json(nullptr)}};
}

Json to_json(const std::optional<stats::FitScores>& scores) {
  return scores ? to_json(*scores) : Json(nullptr);
}

Json rows_of(const std::vector<double>& matrix, std::size_t size) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < size; ++i) {
    rows.push_back(std::vector<double>(matrix.begin() + static_cast<std::ptrdiff_t>(i * size),
                                       matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * size)));
  }
  return rows;
}

// One JSON object being read: every key must be asked for once and none may be left.
class Object {
 public:
  Object(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) throw Malformed{place_ + " is not an object"};
  }

  const Json& at(std::string_view key) {
    asked_.insert(std::string(key));
    const auto found = json_.find(std::string(key));
    if (found == json_.end()) throw Malformed{fmt::format("{} lacks the key '{}'", place_, key)};
    return *found;
  }
  std::string text(std::string_view key) {
    const Json& value = at(key);
    if (!value.is_string()) throw Malformed{fmt::format("'{}' of {} is not a text", key, place_)};
    return value.get<std::string>();
  }
  double number(std::string_view key) { return number_of(at(key), fmt::format("'{}' of {}", key, place_)); }
  std::size_t count(std::string_view key) {
    const Json& value = at(key);
    if (!value.is_number_unsigned()) throw Malformed{fmt::format("'{}' of {} is not a count", key, place_)};
    return value.get<std::size_t>();
  }
  std::vector<double> numbers(std::string_view key) {
    return numbers_of(at(key), fmt::format("'{}' of {}", key, place_));
  }
  Object object(std::string_view key) { return {at(key), fmt::format("'{}'", key)}; }
  const Json& array(std::string_view key) {
    const Json& value = at(key);
    if (!value.is_array()) throw Malformed{fmt::format("'{}' of {} is not a list", key, place_)};
    return value;
  }
  void close() const {
    for (const auto& [key, value] : json_.items()) {
      if (!asked_.contains(key)) throw Malformed{fmt::format("{} has the unknown key '{}'", place_, key)};
    }
  }

  static double number_of(const Json& value, const std::string& place) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      throw Malformed{place + " is not a finite number"};
    return value.get<double>();
  }
  static std::vector<double> numbers_of(const Json& value, const std::string& place) {
    if (!value.is_array()) throw Malformed{place + " is not a list"};
    std::vector<double> numbers;
    for (const Json& entry : value) numbers.push_back(number_of(entry, "an entry of " + place));
    return numbers;
  }

 private:
  const Json& json_;
  std::string place_;
  std::set<std::string, std::less<>> asked_;
};

std::optional<stats::FitScores> read_scores(Object& parent, std::string_view key) {
  if (parent.at(key).is_null()) return std::nullopt;
  Object object = parent.object(key);
  stats::FitScores scores{.r_squared = object.number("r_squared"), .rmse = object.number("rmse"), .rho = {}};
  if (!object.at("rho").is_null()) scores.rho = object.number("rho");
  object.close();
  return scores;
}

PredictorScores read_all_scores(Object object) {
  PredictorScores scores;
  const auto in_sample = read_scores(object, "in_sample");
  if (!in_sample) throw Malformed{"'in_sample' of 'scores' is null"};
  scores.in_sample = *in_sample;
  scores.leave_one_out = read_scores(object, "leave_one_out");
  scores.leave_one_cluster_out = read_scores(object, "leave_one_cluster_out");
  scores.clusters = object.count("clusters");
  scores.underdetermined = object.count("underdetermined_folds");
  object.close();
  return scores;
}

void read_fitted_on(Object object, Predictor& predictor) {
  predictor.table = object.text("table");
  predictor.accelerator = object.text("accelerator");
  const auto pedigree = parse_pedigree(object.text("pedigree"));
  if (!pedigree) throw Malformed{"'pedigree' of 'fitted_on' is not measured, simulated or predicted"};
  predictor.pedigree = *pedigree;
  predictor.fingerprint = object.text("fingerprint");
  for (const Json& group : object.array("groups")) {
    if (!group.is_string()) throw Malformed{"an entry of 'groups' is not a text"};
    predictor.groups.push_back(group.get<std::string>());
  }
  for (const Json& grid : object.array("cap_grids_w")) {
    predictor.cap_grids_w.push_back(Object::numbers_of(grid, "an entry of 'cap_grids_w'"));
  }
  if (object.count("n_groups") != predictor.groups.size()) {
    throw Malformed{"'n_groups' of 'fitted_on' is not the number of 'groups'"};
  }
  object.close();
}

void read_features(Object& root, Predictor& predictor) {
  std::set<std::string> seen;
  for (const Json& entry : root.array("features")) {
    Object object(entry, "an entry of 'features'");
    FittedFeature feature{object.text("name"), object.number("lowest"), object.number("highest")};
    object.close();
    if (!is_feature(feature.name)) throw Malformed{fmt::format("'{}' is not a feature", feature.name)};
    if (!seen.insert(feature.name).second)
      throw Malformed{fmt::format("feature '{}' is there twice", feature.name)};
    if (feature.lowest > feature.highest)
      throw Malformed{fmt::format("the range of '{}' is empty", feature.name)};
    predictor.features.push_back(std::move(feature));
  }
  if (predictor.features.empty() || predictor.features.size() > kMostFeatures) {
    throw Malformed{fmt::format("{}, 1 to {} are possible", counted(predictor.features.size(), "feature"),
                                kMostFeatures)};
  }
}

void read_model(Object object, Predictor& predictor) {
  stats::LinearModel& model = predictor.model;
  model.coefficients = object.numbers("coefficients");
  model.residual_variance = object.number("residual_variance");
  predictor.largest_leverage = object.number("largest_leverage");
  const std::size_t size = predictor.features.size() + 1;
  if (model.coefficients.size() != size) {
    throw Malformed{fmt::format("{} for {} and an intercept",
                                counted(model.coefficients.size(), "coefficient"),
                                counted(size - 1, "feature"))};
  }
  for (const Json& row : object.array("inverse_moment")) {
    const auto entries = Object::numbers_of(row, "a row of 'inverse_moment'");
    if (entries.size() != size)
      throw Malformed{fmt::format("a row of 'inverse_moment' has not {} entries", size)};
    model.inverse_moment.insert(model.inverse_moment.end(), entries.begin(), entries.end());
  }
  object.close();
  model.n = predictor.groups.size();
  if (const auto valid = stats::validate(model); !valid) throw Malformed{valid.error().message};
}

Predictor read_root(const Json& json) {
  Object root(json, "the file");
  if (root.text("format") != kFormat) throw Malformed{fmt::format("'format' is not \"{}\"", kFormat)};
  if (root.count("version") != kVersion) {
    throw Malformed{
        fmt::format("version {} is not known, this program reads {}", root.count("version"), kVersion)};
  }
  Predictor predictor;
  Object target = root.object("target");
  const auto index = parse_target(target.text("index"));
  if (!index) throw Malformed{"'index' of 'target' is not pfi, guarded or pooled"};
  predictor.target = *index;
  target.text("definition");
  target.close();
  read_fitted_on(root.object("fitted_on"), predictor);
  read_features(root, predictor);
  read_model(root.object("model"), predictor);
  predictor.scores = read_all_scores(root.object("scores"));
  root.close();
  return predictor;
}

std::unexpected<Error> unusable(const std::string& name, const std::string& problem) {
  return fail(ErrorKind::refused, fmt::format("{}: {}", name, problem), "write it anew with 'wattflex fit'");
}

}  // namespace

std::string write_predictor(const Predictor& predictor) {
  Json features = Json::array();
  for (const FittedFeature& feature : predictor.features) {
    features.push_back({{"name", feature.name}, {"lowest", feature.lowest}, {"highest", feature.highest}});
  }
  const PredictorScores& scores = predictor.scores;
  const stats::LinearModel& model = predictor.model;
  const Json json = {
      {"format", kFormat},
      {"version", kVersion},
      {"target", {{"index", to_string(predictor.target)}, {"definition", definition_of(predictor.target)}}},
      {"fitted_on",
       {{"table", predictor.table},
        {"accelerator", predictor.accelerator},
        {"pedigree", to_string(predictor.pedigree)},
        {"fingerprint", predictor.fingerprint},
        {"n_groups", predictor.groups.size()},
        {"groups", predictor.groups},
        {"cap_grids_w", predictor.cap_grids_w}}},
      {"features", features},
      {"model",
       {{"coefficients", model.coefficients},
        {"residual_variance", model.residual_variance},
        {"inverse_moment", rows_of(model.inverse_moment, model.coefficients.size())},
        {"largest_leverage", predictor.largest_leverage}}},
      {"scores",
       {{"in_sample", to_json(scores.in_sample)},
        {"leave_one_out", to_json(scores.leave_one_out)},
        {"leave_one_cluster_out", to_json(scores.leave_one_cluster_out)},
        {"clusters", scores.clusters},
        {"underdetermined_folds", scores.underdetermined}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Predictor> parse_predictor(std::string_view text, const std::string& name) {
  try {
    return read_root(Json::parse(text));
  } catch (const Malformed& malformed) {
    return unusable(name, malformed.message);
  } catch (const Json::out_of_range&) {
    return unusable(name, "a number in it is out of range");
  } catch (const Json::exception&) {
    return unusable(name, "is not JSON");
  }
}

Result<Predictor> load_predictor(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, path + ": cannot be opened", "check the path");
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) return unusable(path, "is larger than 4 MiB");
  if (file.bad()) return fail(ErrorKind::io, path + ": cannot be read", "is it a file?");
  return parse_predictor(text, path);
}

}  // namespace wattflex::elasticity
