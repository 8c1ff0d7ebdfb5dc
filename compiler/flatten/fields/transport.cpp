// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/fields/transport_internal.h"

#include <algorithm>
#include <functional>

namespace bolza::flatten {
namespace {

using ast::Expr;
using ast::ExprKind;
using ast::Operator;

/// Derivatives of an expression by a part of it, by the rules of sums, products, quotients and powers.
class SlopeBy {
 public:
  using IsPart = std::function<bool(const Expr&)>;

  SlopeBy(syntax::Maker& make, IsPart is_part) : make_(make), is_part_(std::move(is_part)) {}

  std::optional<Factor> operator()(const Expr& e) {
    if (is_part_(e)) return Factor{false, nullptr};
    if (!contains(e)) return Factor{};
    switch (e.kind) {
      case ExprKind::unary:
        return e.op == Operator::subtract || e.op == Operator::elementwise_subtract ? negated((*this)(*e.operands[0]))
                                                                                    : (*this)(*e.operands[0]);
      case ExprKind::additive:
        return sum(e);
      case ExprKind::multiplicative:
        return product(e);
      case ExprKind::power:
        return power(e);
      case ExprKind::if_:
        return choice(e);
      default:
        return {};
    }
  }

 private:
  bool contains(const Expr& e) {
    bool found = false;
    syntax::visit(e, [&](const Expr& part) {
      found = found || is_part_(part);
      return !found;
    });
    return found;
  }

  const Expr* value(const Factor& f) { return f.zero ? make_.integer(0) : f.value ? f.value : make_.integer(1); }

  std::optional<Factor> negated(std::optional<Factor> f) {
    if (f && !f->zero) f->value = make_.negate(value(*f));
    return f;
  }

  std::optional<Factor> added(const std::optional<Factor>& a, const std::optional<Factor>& b) {
    if (!a || !b) return {};
    if (a->zero) return b;
    return b->zero ? a : Factor{false, make_.add(value(*a), value(*b))};
  }

  std::optional<Factor> sum(const Expr& e) {
    std::optional<Factor> total = (*this)(*e.operands[0]);
    for (std::size_t k = 1; k < e.operands.size(); ++k) {
      auto next = (*this)(*e.operands[k]);
      bool minus = e.operators[k - 1] == Operator::subtract || e.operators[k - 1] == Operator::elementwise_subtract;
      total = added(total, minus ? negated(next) : next);
    }
    return total;
  }

  static bool divides(const Expr& e, std::size_t k) {
    return k > 0 && (e.operators[k - 1] == Operator::divide || e.operators[k - 1] == Operator::elementwise_divide);
  }

  /// The chain with operand k replaced.
  const Expr* with_operand(const Expr& e, std::size_t k, const Expr* other) {
    std::vector<const Expr*> operands(e.operands.begin(), e.operands.end());
    operands[k] = other;
    Expr& made = make_.copy(e);
    made.operands = make_.list(operands);
    return &made;
  }

  std::optional<Factor> product(const Expr& e) {
    std::optional<Factor> total = Factor{};
    for (std::size_t k = 0; k < e.operands.size(); ++k) {
      auto inner = (*this)(*e.operands[k]);
      if (!inner) return {};
      if (inner->zero) continue;
      if (!divides(e, k)) {
        total = added(total, Factor{false, with_operand(e, k, value(*inner))});
        continue;
      }
      const Expr* through = make_.divide(value(*inner), e.operands[k]);  // (a/b)' = -(a/b)*b'/b
      total = added(total, Factor{false, make_.negate(make_.multiply(&e, through))});
    }
    return total;
  }

  std::optional<Factor> power(const Expr& e) {
    auto inner = (*this)(*e.operands[0]);
    if (!inner || contains(*e.operands[1])) return {};
    Expr& lower = make_.copy(e);
    lower.operands = make_.list(std::vector{e.operands[0], make_.subtract(e.operands[1], make_.integer(1))});
    return Factor{false, make_.multiply(make_.multiply(e.operands[1], &lower), value(*inner))};
  }

  std::optional<Factor> choice(const Expr& e) {
    std::vector<const Expr*> operands(e.operands.begin(), e.operands.end());
    for (std::size_t k = 0; k < operands.size(); ++k) {
      bool is_condition = k % 2 == 0 && k + 1 < operands.size();
      if (is_condition) {
        if (contains(*operands[k])) return {};
        continue;
      }
      auto inner = (*this)(*operands[k]);
      if (!inner) return {};
      operands[k] = value(*inner);
    }
    Expr& made = make_.copy(e);
    made.operands = make_.list(operands);
    return Factor{false, &made};
  }

  syntax::Maker& make_;
  IsPart is_part_;
};

/// Of left - right.
std::optional<Factor> factor_of(const ast::Equation& equation, const Expr& call, syntax::Maker& make) {
  SlopeBy by(make, [&](const Expr& e) { return &e == &call; });
  return by(*make.subtract(equation.left, equation.right));
}

/// The calls of an operator that stand in no derivative along a coordinate.
std::vector<const Expr*> outer_calls(const ast::Equation& equation, std::string_view name) {
  std::vector<const Expr*> out;
  for (const Expr* side : {equation.left, equation.right})
    syntax::visit(*side, [&](const Expr& e) {
      if (calls(e, name) && !e.arguments->positional.empty()) out.push_back(&e);
      return !calls(e, "pder");
    });
  return out;
}

bool names_outside_derivatives(const Expr& e, const Instance& field, FieldNames& names) {
  bool found = false;
  syntax::visit(e, [&](const Expr& part) {
    found = found || names.field(part) == &field;
    return !found && !calls(part, "pder");
  });
  return found;
}

bool is_one(const Factor& f) { return !f.zero && f.value == nullptr; }

}  // namespace

Transports transports_of(const ast::Equation& equation, FieldNames& names, const Instance& domain, syntax::Maker& make) {
  Transports out;
  std::vector<const Expr*> in_time = outer_calls(equation, "der");
  const Instance* field = in_time.size() == 1 ? names.field(*in_time[0]->arguments->positional[0]) : nullptr;
  if (field == nullptr || field->domain != &domain) return out;
  auto of_time = factor_of(equation, *in_time[0], make);
  if (!of_time || of_time->zero) return out;
  for (const Expr* call : outer_calls(equation, "pder")) {
    const Expr& of = *call->arguments->positional[0];
    if (call->arguments->positional.size() != 2) continue;
    FieldTransport transport{FieldTransport::Form::advective, field, nullptr};
    if (names.field(of) != field) {
      if (!names_outside_derivatives(of, *field, names)) continue;
      transport.form = FieldTransport::Form::conservative;
    }
    auto factor = factor_of(equation, *call, make);
    if (!factor || factor->zero) continue;
    transport.factor = factor->value;
    if (!is_one(*of_time)) transport.factor = make.divide(factor->value ? factor->value : make.integer(1), of_time->value);
    out.emplace(call, transport);
  }
  return out;
}

std::optional<Factor> slope_by_field(const Expr& expr, const Instance& field, FieldNames& names, syntax::Maker& make) {
  return SlopeBy(make, [&](const Expr& e) { return names.field(e) == &field; })(expr);
}

}  // namespace bolza::flatten
