// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/functions/interpreted_function.h"

#include <algorithm>

#include "base/bit_order.h"
#include "compiler/foreign/c_function.h"
#include "compiler/instance/values/evaluator_internal.h"

namespace bolza::instance {

InterpretedFunction::InterpretedFunction(InstanceTree& tree, const Instance& function, std::vector<Input> inputs,
                                         Objects objects, std::size_t n_outputs)
    : tree_(tree),
      function_(function),
      inputs_(std::move(inputs)),
      objects_(std::move(objects)),
      n_outputs_(n_outputs) {
  std::vector<double> numbers;
  for (const Input& input : inputs_) append_numbers(input.value, numbers);
  n_arguments_ = numbers.size();
}

bool InterpretedFunction::run(const double* arguments, double* outputs) const {
  std::vector<double> numbers(arguments, arguments + n_arguments_ + 2);
  if (numbers.back() == never) {
    std::fill_n(outputs, n_outputs_, 0.0);
    return true;
  }
  std::vector<std::uint64_t> key = bits_of(numbers);
  std::lock_guard lock(mutex_);
  if (!known_.empty() && known_.begin()->first.back() != key.back()) known_.clear();
  auto at = known_.find(key);
  if (at == known_.end()) {
    std::vector<double> made;
    if (!interpret(numbers, made)) return false;
    at = known_.emplace(std::move(key), std::move(made)).first;
  }
  std::copy(at->second.begin(), at->second.end(), outputs);
  return true;
}

bool InterpretedFunction::interpret(const std::vector<double>& arguments, std::vector<double>& outputs) const {
  Diagnostics diagnostics;
  EvaluationBudget budget;
  budget.may_act = true;
  Evaluator evaluator(tree_, scope_of(function_), diagnostics, budget);
  std::vector<std::pair<const Instance*, Value>> inputs;
  std::span<const double> numbers = arguments;
  for (const Input& input : inputs_) {
    Value value = input.value;
    take_numbers(value, numbers);
    inputs.emplace_back(input.component, std::move(value));
  }
  std::string name = "`" + full_name(*function_.definition) + "`: ";
  auto results = evaluator.run_with(function_, std::move(inputs), function_.span);
  if (!results) {
    foreign::note_failure(name + (budget.objection.empty() ? diagnostics.all().back().message : budget.objection));
    return false;
  }
  for (const Value& result : *results) append_numbers(result, outputs);
  bool fits = outputs.size() == n_outputs_;
  if (!fits) foreign::note_failure(name + "its outputs are not of the sizes that were known before it ran");
  return fits;
}

}  // namespace bolza::instance
