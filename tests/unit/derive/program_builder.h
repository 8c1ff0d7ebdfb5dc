// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/program.h"

/// Writes Programs in tests with a few words per statement.
namespace bolza::test {

class ProgramBuilder {
 public:
  ProgramBuilder(ir::Expressions& all, std::string name) : all_(all), dag(all.dag) {
    program_.name = std::move(name), program_.blocks.resize(1);
  }

  std::uint32_t local(std::string name, ir::ScalarType type = ir::ScalarType::real) {
    program_.locals.push_back({std::move(name), type});
    return static_cast<std::uint32_t>(program_.locals.size() - 1);
  }
  std::uint32_t integer(std::string name) { return local(std::move(name), ir::ScalarType::integer); }
  std::uint32_t input(std::string name) {
    std::uint32_t k = local(std::move(name));
    program_.inputs.push_back({false, k});
    return k;
  }
  std::uint32_t array(std::string name, std::uint32_t size) {
    program_.arrays.push_back({std::move(name), size, ir::ScalarType::real});
    return static_cast<std::uint32_t>(program_.arrays.size() - 1);
  }
  std::uint32_t input_array(std::string name, std::uint32_t size) {
    std::uint32_t a = array(std::move(name), size);
    program_.inputs.push_back({true, a});
    return a;
  }
  void output(std::uint32_t k) { program_.outputs.push_back({false, k}); }
  void output_array(std::uint32_t a) { program_.outputs.push_back({true, a}); }

  void assign(std::uint32_t target, ir::ExprId value) {
    ir::Statement& s = add(ir::StatementKind::assign);
    s.target = target, s.value = value;
  }
  void load(std::uint32_t target, std::uint32_t array, ir::ExprId index) {
    ir::Statement& s = add(ir::StatementKind::load);
    s.target = target, s.array = array, s.index = index;
  }
  void store(std::uint32_t array, ir::ExprId index, ir::ExprId value) {
    ir::Statement& s = add(ir::StatementKind::store);
    s.array = array, s.index = index, s.value = value;
  }
  void call(std::vector<std::uint32_t> targets, ir::ProgramId callee, std::vector<ir::ExprId> arguments) {
    ir::Statement& s = add(ir::StatementKind::call);
    s.program = callee, s.targets = std::move(targets), s.arguments = std::move(arguments);
  }
  template <class Body>
  void loop_for(std::uint32_t target, ir::ExprId from, ir::ExprId to, Body body, ir::ExprId step = {}) {
    ir::Statement& s = add(ir::StatementKind::loop_for);
    s.target = target, s.from = from, s.to = to, s.step = step ? step : dag.one();
    nested(&ir::Statement::body, body);
  }
  template <class Body>
  void loop_while(ir::ExprId condition, Body body) {
    add(ir::StatementKind::loop_while).value = condition;
    nested(&ir::Statement::body, body);
  }
  template <class Body, class Otherwise>
  void branch(ir::ExprId condition, Body body, Otherwise otherwise) {
    add(ir::StatementKind::branch).value = condition;
    nested(&ir::Statement::body, body);
    nested(&ir::Statement::otherwise, otherwise);
  }
  template <class Body>
  void branch(ir::ExprId condition, Body body) {
    add(ir::StatementKind::branch).value = condition;
    nested(&ir::Statement::body, body);
  }
  void exit_loop() { add(ir::StatementKind::exit_loop); }
  void exit_program() { add(ir::StatementKind::exit_program); }
  void check(ir::ExprId condition, std::string text) {
    ir::Statement& s = add(ir::StatementKind::check);
    s.value = condition, s.text = std::move(text);
  }

  ir::ProgramId done() {
    all_.programs.push_back(std::move(program_));
    ir::verify(all_);
    return ir::ProgramId(all_.programs.size() - 1);
  }

  ir::ExprId get(std::uint32_t k) { return dag.slot(k); }
  ir::ExprId number(double v) { return dag.number(v); }

 private:
  ir::Statement& add(ir::StatementKind kind) {
    ir::Statement s;
    s.kind = kind;
    program_.blocks[block_].push_back(s);
    return program_.blocks[block_].back();
  }

  /// Fills a new block of the statement added last.
  template <class Body>
  void nested(ir::BlockId ir::Statement::* member, Body body) {
    std::size_t outer = block_, at = program_.blocks[outer].size() - 1;
    block_ = program_.blocks.size();
    program_.blocks[outer][at].*member = ir::BlockId(block_);
    program_.blocks.emplace_back();
    body();
    block_ = outer;
  }

  ir::Expressions& all_;
  ir::Program program_;
  std::size_t block_ = 0;

 public:
  ir::Dag& dag;
};

}  // namespace bolza::test
