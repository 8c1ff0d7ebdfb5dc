// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/model/frame_internal.h"

#include "base/expects.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

Again Frame::ask_for(const Instance& component) {
  asked.insert(&component);
  return Again(Again::How::with_values);
}

Frame& frame_of(Model& model, std::uint32_t program) {
  for (const auto& frame : model.frames)
    if (frame->state == Frame::State::done && frame->program.value == program) return *frame;
  expects(false, "a call is of a function that became a Program");
  return *model.frames.front();
}

void frame_for(Model& model, const Instance& function, ir::ProgramId program) {
  for (const auto& frame : model.frames)
    if (frame->state == Frame::State::done && frame->program == program) return;
  model.frames.push_back(std::make_unique<Frame>());
  Frame& frame = *model.frames.back();
  frame.function = &function;
  frame.state = Frame::State::done;
  frame.program = program;
  frame.n_outputs = 1;
  frame.is_table = true;
  for (const Instance* child : function.children) frame.dims[child] = {};
}

std::vector<std::int64_t> dims_in(const Frame& frame, const Instance& leaf) {
  std::vector<const Instance*> path;
  for (const Instance* i = &leaf; i != frame.function && i != nullptr; i = i->parent) path.push_back(i);
  std::vector<std::int64_t> dims;
  for (std::size_t k = path.size(); k-- > 0;) {
    auto own = frame.dims.find(path[k]);
    if (own != frame.dims.end()) dims.insert(dims.end(), own->second.begin(), own->second.end());
    else
      for (const instance::Dimension& d : path[k]->dimensions) dims.push_back(d.size);
  }
  return dims;
}

std::vector<const Instance*> leaves_in(const Frame& frame, const Instance& component) {
  if (!frame.closures.contains(&component)) return leaves_of(component);
  std::vector<const Instance*> leaves;
  if (auto captured = frame.captured.find(&component); captured != frame.captured.end())
    for (const Instance* part : captured->second)
      for (const Instance* leaf : leaves_in(frame, *part)) leaves.push_back(leaf);
  return leaves;
}

}  // namespace bolza::flatten
