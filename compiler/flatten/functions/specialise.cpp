// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/functions/specialise_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/functions/closures_internal.h"
#include "compiler/flatten/functions/external_calls_internal.h"
#include "compiler/flatten/functions/function_annotations_internal.h"
#include "compiler/flatten/functions/function_sizes_internal.h"
#include "compiler/flatten/functions/interpreted_calls_internal.h"
#include "compiler/flatten/functions/write_program_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {
namespace {

bool same_shape(const Frame& frame, const CallShape& shape) {
  if (frame.function != shape.function || frame.values.size() != shape.values.size()) return false;
  if (frame.at_run_time != shape.at_run_time) return false;
  if (frame.is_table || frame.interpreted != shape.interpreted || frame.texts != shape.texts ||
      frame.objects != shape.objects)
    return false;
  for (const auto& [input, closure] : shape.closures)
    if (auto own = frame.closures.find(input); own == frame.closures.end() || !(own->second == closure)) return false;
  for (const auto& [input, value] : shape.values) {
    auto known = frame.values.find(input);
    if (known == frame.values.end() || known->second != value) return false;
  }
  std::size_t k = 0;
  for (const Instance* child : frame.function->children)
    if (is_input(*child) && frame.dims.at(child) != shape.dims[k++]) return false;
  return std::all_of(shape.fields.begin(), shape.fields.end(),
                     [&](const auto& field) { return frame.dims.at(field.first) == field.second; });
}

Outcome<Done> check_function(Model& model, const Instance& function, Span used_at) {
  if (function.external != nullptr) return Done{};
  if (function.algorithms.empty() && std::none_of(function.children.begin(), function.children.end(),
                                                  [](const Instance* c) { return is_output(*c) && c->binding; }))
    return model.diagnostics.error(function_without_body, used_at, {function.name});
  return Done{};
}

/// A function that calls itself may do so in a branch that the values of its Integers and Booleans choose: `setState(d, T,
/// phase = 1)` where `phase` is 0. With these it is another function.
std::set<const Instance*> inputs_that_may_end_recursion(const CallShape& shape) {
  std::set<const Instance*> inputs;
  for (const Instance* child : shape.function->children) {
    bool chooses = child->type == instance::Type::integer || child->type == instance::Type::boolean ||
                   child->type == instance::Type::enumeration;
    bool known = std::any_of(shape.values.begin(), shape.values.end(), [&](const auto& v) { return v.first == child; });
    if (is_input(*child) && chooses && child->rank() == 0 && !known && !shape.at_run_time.contains(child))
      inputs.insert(child);
  }
  return inputs;
}

/// What a function that failed gives its callers.
Outcome<Specialised> result_of_failed(const Frame& frame) {
  if (frame.why->is(Again::How::with_values)) return Specialised{nullptr, frame.asked, false};
  return *frame.why;
}

/// The sizes of what it has, and its Program.
Outcome<Done> write_sized(Model& model, Frame& frame, const CallShape& shape, Span used_at) {
  if (auto sized = find_sizes(model, frame, shape, used_at); !sized) return sized;
  if (shape.function->external && !shape.interpreted) return write_foreign(model, frame, used_at);
  if (!shape.interpreted) return write_program(model, frame);
  write_interpreted(model, frame);
  return Done{};
}

}  // namespace

Outcome<Specialised> specialise(Model& model, const CallShape& shape, Span used_at) {
  constexpr std::size_t most_calls = 500;  // each is written while its caller is: all of them lie on the stack
  std::size_t under_way = 0;
  for (auto at = model.frames.begin(); at != model.frames.end(); ++at) {
    const auto& frame = *at;
    under_way += frame->state == Frame::State::under_way;
    if (!same_shape(*frame, shape)) continue;
    if (frame->state == Frame::State::done) return Specialised{frame.get(), {}, false};
    if (frame->state == Frame::State::under_way) {
      auto choosing = inputs_that_may_end_recursion(shape);
      if (!choosing.empty()) return Specialised{nullptr, std::move(choosing), true};
      return model.diagnostics.error(recursive_function, used_at, {shape.function->name});
    }
    if (!frame->why->reported() || model.diagnostics.errors() > 0) return result_of_failed(*frame);
    model.frames.erase(at);  // its messages were put aside where it was only tried
    break;
  }
  if (under_way > most_calls)
    return model.diagnostics.error(unsupported, used_at,
                                   {"functions that call each other, more than " + std::to_string(most_calls) + " deep"});
  if (auto good = check_function(model, *shape.function, used_at); !good) return good.failure();
  model.frames.push_back(std::make_unique<Frame>());
  Frame& frame = *model.frames.back();
  frame.function = shape.function;
  for (const auto& [input, value] : shape.values) frame.values[input] = value;
  frame.at_run_time = shape.at_run_time;
  frame.texts = shape.texts;
  frame.objects = shape.objects;
  frame.interpreted = shape.interpreted;
  for (const auto& [input, closure] : shape.closures) capture(frame, *input, closure);
  auto written = write_sized(model, frame, shape, used_at);
  frame.state = written ? Frame::State::done : Frame::State::failed;
  if (!written) {
    frame.why = written.failure();
    if (frame.why->restarts())
      frame.why = model.diagnostics.error(unsupported, used_at,
                                          {"a function in which sizes differ between the elements of an array"});
    return result_of_failed(frame);
  }
  if (frame.closures.empty() && !frame.interpreted) read_function_annotations(model, frame);
  return Specialised{&frame, {}, false};
}

}  // namespace bolza::flatten
