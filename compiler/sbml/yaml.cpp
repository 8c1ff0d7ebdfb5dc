// SPDX-License-Identifier: Apache-2.0
#include "compiler/sbml/yaml.h"

#include <yaml-cpp/yaml.h>

#include "compiler/sbml/codes.h"

namespace bolza::sbml {
namespace {

constexpr int deepest = 20;

void collect(const YAML::Node& node, const std::string& path, int depth, SourceId file, std::vector<YamlEntry>& out) {
  if (depth > deepest) return;
  auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  if (node.IsScalar()) {
    int at = node.Mark().pos;
    auto begin = static_cast<std::uint32_t>(at < 0 ? 0 : at);
    out.push_back({path, node.Scalar(), {file, begin, begin + static_cast<std::uint32_t>(node.Scalar().size())}});
  } else if (node.IsSequence()) {
    for (std::size_t k = 0; k < node.size(); ++k) collect(node[k], below(std::to_string(k)), depth + 1, file, out);
  } else if (node.IsMap()) {
    for (const auto& one : node)
      if (one.first.IsScalar()) collect(one.second, below(one.first.Scalar()), depth + 1, file, out);
  }
}

}  // namespace

Result<std::vector<YamlEntry>> read_yaml(SourceId file, const Sources& sources, Diagnostics& diagnostics) {
  try {
    std::vector<YamlEntry> out;
    collect(YAML::Load(std::string(sources.text(file))), "", 0, file, out);
    return out;
  } catch (const YAML::Exception& error) {
    auto at = static_cast<std::uint32_t>(error.mark.pos < 0 ? 0 : error.mark.pos);
    return diagnostics.error(bad_yaml, {file, at, at}, {sources.path(file), error.msg});
  }
}

}  // namespace bolza::sbml
