// A segment on IDAS: values.
#include "runtime/integrate/segment_idas_internal.h"

#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/expects.h"

namespace bolza::integrate {
namespace {

using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;

void silent(int, const char*, const char*, char*, void*) {}

}  // namespace

IdasSegment::IdasSegment(ReducedModel& model, const SegmentOptions& options)
    : Work(model, options),
      n_z_(model.model().n_z),
      n_(n_x + n_z_),
      context_(make_context()),
      y_(make_vector(n_, context_.get())),
      yp_(make_vector(n_, context_.get())),
      q_(make_vector(std::max<std::size_t>(n_q, 1), context_.get())),
      u_(n_u),
      rates_(n_x + n_q),
      gradient_(model.columns() + n_z_),
      pieces_(options.method_options, n_ + n_q, 8) {}

IdasSegment::Point IdasSegment::point(double s, N_Vector y) {
  for (std::size_t i = 0; i < n_u; ++i) u_[i] = options.linear_control ? (1 - s) * left[i] + s * right[i] : left[i];
  return {times.begin + s * times.length, N_VGetArrayPointer(y), N_VGetArrayPointer(y) + n_x, u_.data()};
}

double IdasSegment::size_of(std::size_t i) const {
  const bolza_model& m = model.model();
  return nonlinear::size_of(i < n_x ? m.x[i] : m.z[i - n_x]);
}

// `blocks`: so many of the same on the diagonal.
std::unique_ptr<NewtonSystem> IdasSegment::newton(bool backward, std::size_t blocks) {
  Places places;
  std::size_t block = 0;
  auto take = [&](const bolza_function* f, std::size_t rows, std::size_t first) {
    for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
      auto row = static_cast<std::size_t>(f->jac_row[e]), col = static_cast<std::size_t>(f->jac_col[e]);
      if (row >= rows || col < 1 || col > n_) continue;
      auto r = static_cast<std::int32_t>(block * n_ + first + row), c = static_cast<std::int32_t>(block * n_ + col - 1);
      places.emplace_back(backward ? c : r, backward ? r : c);
    }
  };
  for (; block < blocks; ++block) {
    take(model.model().rates, n_x, 0);
    if (n_z_) take(model.model().residuals, n_z_, n_x);
    for (std::size_t i = block * n_; i < block * n_ + n_x; ++i)
      places.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
  }
  Vector like = make_vector(blocks * n_, context_.get());
  return std::make_unique<NewtonSystem>(blocks * n_, std::move(places), like.get(), context_.get(), MethodOptions{});
}

int IdasSegment::residual(double s, N_Vector y, N_Vector yp, N_Vector out, void* user) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  Point p = w.point(s, y);
  auto o = view(out);
  if (!w.model.at().value(Part::rates, p, w.rates_)) return 1;
  if (w.n_z_ && !w.model.at().value(Part::residuals, p, o.subspan(w.n_x))) return 1;
  for (std::size_t i = 0; i < w.n_x; ++i) o[i] = view(yp)[i] - w.times.length * w.rates_[i];
  return 0;
}

int IdasSegment::quadrature(double s, N_Vector y, N_Vector, N_Vector out, void* user) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  if (!w.model.at().value(Part::rates, w.point(s, y), w.rates_)) return 1;
  for (std::size_t i = 0; i < w.n_q; ++i) view(out)[i] = w.times.length * w.rates_[w.n_x + i];
  return 0;
}

int IdasSegment::jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                          N_Vector) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  double* data = w.form_->clear(J);
  auto slot = w.form_->slot().begin();
  if (!w.entries(w.point(s, y),
                 [&](bool rate, std::size_t, std::size_t, double v) { data[*slot++] += rate ? -w.times.length * v : v; }))
    return 1;
  for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
  return 0;
}

IdasSegment::Memory IdasSegment::make(std::unique_ptr<NewtonSystem>& newton_of) {
  Memory made(IDACreate(context_.get()));
  void* memory = made.get();
  expects(memory != nullptr, "there is memory for an integrator");
  IDASetErrHandlerFn(memory, silent, nullptr);
  if (IDAInit(memory, residual, 0, y_.get(), yp_.get()) < 0) return {};
  Vector tolerance = make_vector(n_, context_.get()), kind = make_vector(n_, context_.get());
  for (std::size_t i = 0; i < n_; ++i) view(tolerance.get())[i] = options.rtol * size_of(i), view(kind.get())[i] = i < n_x;
  IDASVtolerances(memory, options.rtol, tolerance.get());
  IDASetUserData(memory, this);
  IDASetId(memory, kind.get());
  IDASetMaxNumSteps(memory, options.max_steps);
  IDASetSuppressAlg(memory, hidden());
  newton_of = newton(false);
  form_ = newton_of.get();
  IDASetLinearSolver(memory, newton_of->solver(), newton_of->matrix());
  IDASetJacFn(memory, jacobian);
  if (n_q) {
    IDAQuadInit(memory, quadrature, q_.get());
    IDAQuadSStolerances(memory, options.rtol, options.rtol);
    IDASetQuadErrCon(memory, 1);
  }
  return made;
}

// y and y' at the begin.
bool IdasSegment::place(std::span<const double> x) {
  std::copy(x.begin(), x.end(), view(y_.get()).begin());
  Point begin = point(0, y_.get());
  if (!hidden() && !model.move_to(begin.t, x, u_)) return false;
  std::copy(model.z().begin(), model.z().end(), view(y_.get()).begin() + static_cast<std::ptrdiff_t>(n_x));
  N_VConst(0, yp_.get()), N_VConst(0, q_.get());
  if (hidden() && !find_algebraics(0)) return false;
  if (!model.at().value(Part::rates, begin, rates_)) return false;
  for (std::size_t i = 0; i < n_x; ++i) view(yp_.get())[i] = times.length * rates_[i];
  return true;
}

bool IdasSegment::start(void* memory) {
  return IDAReInit(memory, 0, y_.get(), yp_.get()) >= 0 && (!n_q || IDAQuadReInit(memory, q_.get()) >= 0) &&
         IDASetStopTime(memory, 1) >= 0;
}

bool IdasSegment::results(void* memory, std::span<double> x, std::span<double> integrals) {
  double reached = 1;
  std::copy_n(view(y_.get()).begin(), n_x, x.begin());
  if (n_q) IDAGetQuad(memory, &reached, q_.get());
  for (std::size_t i = 0; i < n_q; ++i) integrals[i] += view(q_.get())[i];
  return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
}

bool IdasSegment::forward(std::span<double> x, std::span<double> integrals) {
  if (!n_x || times.length == 0) {
    std::copy(x.begin(), x.end(), view(y_.get()).begin());
    return n_q == 0 || times.length == 0;
  }
  if (!place(x)) return false;
  if (!memory_) {
    bool hermite = options.method_options.checkpoint_interpolation == "hermite";
    if (!(memory_ = make(newton_)) ||
        IDAAdjInit(memory_.get(), pieces_.steps_between(), hermite ? IDA_HERMITE : IDA_POLYNOMIAL) < 0)
      return false;
    recorded_ = false;
  }
  AdjointPieces::Run run = forward_run();
  std::vector<double> numbers(2 * n_ + n_q);
  std::copy_n(view(y_.get()).begin(), n_, numbers.begin());
  std::copy_n(view(yp_.get()).begin(), n_, numbers.begin() + static_cast<std::ptrdiff_t>(n_));
  if (!pieces_.forward(run, std::move(numbers), options.max_steps)) return no_room();
  end_.assign(view(y_.get()).begin(), view(y_.get()).end());
  return results(memory_.get(), x, integrals);
}

// Numbers: states and algebraics, their slopes and, as they have a say in the lengths of steps, the integrals.
AdjointPieces::Run IdasSegment::forward_run() {
  auto n = static_cast<std::ptrdiff_t>(n_);
  return {.begin =
              [this, n](double s, std::span<const double> numbers) {
                void* memory = memory_.get();
                std::copy_n(numbers.begin(), n_, view(y_.get()).begin());
                std::copy_n(numbers.begin() + n, n_, view(yp_.get()).begin());
                std::copy_n(numbers.begin() + 2 * n, n_q, view(q_.get()).begin());
                bool again = std::exchange(recorded_, true);
                return IDAReInit(memory, s, y_.get(), yp_.get()) >= 0 && (!n_q || IDAQuadReInit(memory, q_.get()) >= 0) &&
                       IDASetStopTime(memory, 1) >= 0 && (!again || IDAAdjReInit(memory) >= 0);
              },
          .step =
              [this](double& s) {
                int checkpoints = 0;
                return IDASolveF(memory_.get(), 1, &s, y_.get(), yp_.get(), IDA_ONE_STEP, &checkpoints) >= 0;
              },
          .numbers =
              [this, n](std::vector<double>& numbers) {
                double at = 0;
                if (n_q) IDAGetQuad(memory_.get(), &at, q_.get());
                std::copy_n(view(y_.get()).begin(), n_, numbers.begin());
                std::copy_n(view(yp_.get()).begin(), n_, numbers.begin() + n);
                std::copy_n(view(q_.get()).begin(), n_q, numbers.begin() + 2 * n);
              }};
}

bool IdasSegment::no_room() {
  if (pieces_.no_room()) model.at().note("a checkpoint could not be written to the temporary file", times.begin);
  return false;
}

std::unique_ptr<Segment::Work> make_idas_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<IdasSegment>(model, options);
}

}  // namespace bolza::integrate
