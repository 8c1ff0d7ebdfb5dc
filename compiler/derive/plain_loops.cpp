// SPDX-License-Identifier: Apache-2.0
#include "compiler/derive/activity_internal.h"
#include "compiler/derive/plain_loops_internal.h"
#include "compiler/derive/without_exits.h"

namespace bolza::derive {

using ir::BlockId;
using ir::Program;
using ir::ScalarType;
using ir::Statement;
using ir::StatementKind;

namespace {

/// Makes the locals of for-loops ordinary: set by an assignment in the body, from a fresh counter, or (when active) from a
/// trip count.
class LoopNormaliser {
 public:
  LoopNormaliser(ir::Expressions& all, const Program& program)
      : all_(all),
        old_(program),
        new_(program),
        activity_(activity_of(all, program)) {}

  Program run() {
    new_.blocks.assign(1, {});
    std::vector<Statement> body = convert(BlockId(std::size_t{0}));
    new_.blocks[0] = std::move(body);
    return std::move(new_);
  }

 private:
  std::vector<Statement> convert(BlockId block) {
    std::vector<Statement> result;
    if (!block) return result;
    for (const Statement& s : old_.blocks[block.index()]) {
      Statement copy = s;
      if (s.kind == StatementKind::loop_for) {
        convert_for(s, result);
        continue;
      }
      if (s.kind == StatementKind::branch || s.kind == StatementKind::loop_while)
        copy.body = add_block(new_, convert(s.body));
      if (s.kind == StatementKind::branch) copy.otherwise = add_block(new_, convert(s.otherwise));
      result.push_back(std::move(copy));
    }
    return result;
  }

  void convert_for(const Statement& s, std::vector<Statement>& out) {
    std::vector<Statement> body = convert(s.body);
    if (activity_(s.target)) {
      for (Statement& part : as_while(all_, new_, s, std::move(body), {})) out.push_back(std::move(part));
      return;
    }
    Statement copy = s;
    copy.target = add_local(new_, "counter", ScalarType::integer);
    body.insert(body.begin(), assign(s.target, all_.dag.slot(copy.target), s.span));
    copy.body = add_block(new_, std::move(body));
    out.push_back(std::move(copy));
  }

  ir::Expressions& all_;
  const Program& old_;
  Program new_;
  Activity activity_;
};

}  // namespace

Program with_plain_loops(ir::Expressions& expressions, const Program& program) {
  return LoopNormaliser(expressions, program).run();
}

}  // namespace bolza::derive
