#include "compiler/instance/interpreted_function.h"

#include <algorithm>

#include "compiler/foreign/c_function.h"
#include "compiler/instance/evaluator_internal.h"

namespace bolza::instance {

InterpretedFunction::InterpretedFunction(InstanceTree& tree, const Instance& function, std::vector<Input> numbers,
                                         std::map<const Instance*, std::string> texts, std::size_t n_outputs)
    : tree_(tree),
      function_(function),
      numbers_(std::move(numbers)),
      texts_(std::move(texts)),
      n_outputs_(n_outputs) {
  for (const Input& input : numbers_) {
    std::size_t n = 1;
    for (std::int64_t d : input.dimensions) n *= static_cast<std::size_t>(d);
    n_arguments_ += n;
  }
}

bool InterpretedFunction::run(const double* arguments, double* outputs) const {
  std::vector<double> key(arguments, arguments + n_arguments_ + 2);
  if (key.back() == never) return std::fill_n(outputs, n_outputs_, 0.0), true;
  std::lock_guard lock(mutex_);
  if (!known_.empty() && known_.begin()->first.back() != key.back()) known_.clear();
  auto at = known_.find(key);
  if (at == known_.end()) {
    std::vector<double> made;
    if (!interpret(key, made)) return false;
    at = known_.emplace(std::move(key), std::move(made)).first;
  }
  std::copy(at->second.begin(), at->second.end(), outputs);
  return true;
}

bool InterpretedFunction::interpret(const std::vector<double>& arguments, std::vector<double>& outputs) const {
  Diagnostics diagnostics;
  Budget budget;
  budget.may_act = true;
  Evaluator evaluator(tree_, scope_of(function_), diagnostics, budget);
  std::vector<std::pair<const Instance*, Value>> inputs;
  auto next = arguments.begin();
  for (const Input& input : numbers_) {
    Value value = filled(kind_of(input.component->type), input.dimensions);
    value.definition = input.component->enumeration;
    std::copy_n(next, value.numbers.size(), value.numbers.begin());
    next += static_cast<std::ptrdiff_t>(value.numbers.size());
    inputs.emplace_back(input.component, std::move(value));
  }
  for (const auto& [component, text] : texts_) inputs.emplace_back(component, string_value(text));
  std::string name = "`" + full_name(*function_.definition) + "`: ";
  auto results = evaluator.run_with(function_, std::move(inputs), function_.span);
  if (!results) {
    foreign::note_failure(name + (budget.objection.empty() ? diagnostics.all().back().message : budget.objection));
    return false;
  }
  for (const Value& result : *results) outputs.insert(outputs.end(), result.numbers.begin(), result.numbers.end());
  bool fits = outputs.size() == n_outputs_;
  if (!fits) foreign::note_failure(name + "its outputs are not of the sizes that were known before it ran");
  return fits;
}

}  // namespace bolza::instance
