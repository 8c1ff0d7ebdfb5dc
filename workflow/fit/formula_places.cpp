// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/formula_places.h"

#include <algorithm>

#include "base/replace_all.h"
#include "workflow/codes.h"
#include "workflow/fit/fit_request.h"

namespace bolza::workflow {
namespace {

class Telling {
 public:
  Telling(const std::vector<PlacedFormula>& formulas, const std::string& path, const std::string& model,
          const Sources& sources)
      : formulas_(formulas),
        path_(path),
        model_(model),
        sources_(sources) {}

  /// The formula in whose declaration this is; null: none.
  const PlacedFormula* formula_at(Span span) const {
    if (!span || sources_.path(span.file) != path_) return nullptr;
    auto at = std::find_if(formulas_.begin(), formulas_.end(),
                           [&](const PlacedFormula& f) { return f.first <= span.begin && span.begin < f.last; });
    return at == formulas_.end() ? nullptr : &*at;
  }

  Span place(const PlacedFormula& f, Span span) const { return place_of(f, span.begin, span.end, sources_); }

  std::string text(const PlacedFormula& f, Span span, std::string message) const {
    auto end = f.begin + static_cast<std::uint32_t>(f.text.size());
    if (span.begin >= end) replace_all(message, "`;`", "its end");
    for (const PlacedFormula& other : formulas_) replace_all(message, "`" + other.variable + "`", other.of);
    replace_all(message, "`" + path_ + "`", "`" + model_ + "`");
    return message;
  }

 private:
  const std::vector<PlacedFormula>& formulas_;
  const std::string &path_, &model_;
  const Sources& sources_;
};

}  // namespace

Span place_of(const PlacedFormula& f, std::uint32_t begin, std::uint32_t end, const Sources& sources) {
  if (!f.span || sources.text(f.span) != f.text || begin < f.begin) return f.span;
  auto length = static_cast<std::uint32_t>(f.text.size());
  std::uint32_t from = std::min(begin - f.begin, length - std::min(length, 1u)), to = std::min(end - f.begin, length);
  return {f.span.file, f.span.begin + from, f.span.begin + std::max(to, from)};
}

void tell_of_formulas(const std::vector<PlacedFormula>& formulas, const std::string& path, const std::string& model,
                      const Sources& sources, const Diagnostics& before, Diagnostics& diagnostics) {
  Telling telling(formulas, path, model, sources);
  auto first = diagnostics.all().begin() + static_cast<std::ptrdiff_t>(before.all().size());
  auto is_of_formula = [&](const Diagnostic& d) { return telling.formula_at(d.span) != nullptr; };
  if (!std::all_of(first, diagnostics.all().end(), is_of_formula)) return;
  Diagnostics told = before;
  for (auto d = first; d != diagnostics.all().end(); ++d) {
    const PlacedFormula& f = *telling.formula_at(d->span);
    std::vector<Note> notes;
    for (const Note& note : d->notes) {
      const PlacedFormula* own = telling.formula_at(note.span);
      notes.push_back({own ? telling.place(*own, note.span) : note.span, telling.text(f, note.span, note.text)});
    }
    std::string message = telling.text(f, d->span, d->message);
    if (f.span && sources.text(f.span) != f.text) notes.push_back({{}, "in Modelica it is `" + f.text + "`"});
    notes.push_back({{}, "`bolza explain " + std::string(d->code->id) + "` says more"});
    if (d->severity == Severity::error) told.error(formula_mistake, telling.place(f, d->span), {f.of, message}, notes);
    else told.warning(formula_mistake, telling.place(f, d->span), {f.of, message}, notes);
  }
  diagnostics = std::move(told);
}

std::string in_formulas(const FitProblem& problem, std::string text) {
  for (const FitObservable& o : problem.observables) {
    replace_all(text, "`" + observable_variable(o) + "`", "`" + o.formula + "`");
    replace_all(text, "`" + noise_variable(o) + "`", "its standard deviation `" + o.noise + "`");
  }
  return text;
}

}  // namespace bolza::workflow
