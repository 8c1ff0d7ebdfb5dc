#include "compiler/passes/group_shapes.h"

namespace bolza::passes {

Result<Done> group_shapes(System& system, Diagnostics&) {
  ir::Dag& dag = system.dag();
  for (ir::Section* section : sections_of(system.flat)) ir::roll(dag, *section);
  return Done{};
}

Result<Done> split_rows(System& system, Diagnostics&) {
  Composer composer(system.dag());
  auto in = [&](ir::Section& section) {
    bool several = false;
    for (const ir::Group& group : section.groups) several |= group.roots.size() > 1;
    if (!several) return;
    SectionBuilder builder(system.options.enabled("group"));
    for_each_instance(section, [&](const Instance& i) {
      for (std::size_t r = 0; r < i.rows.size(); ++r)
        builder.add({composer.canonical({{i.applied.roots[r]}, i.applied.slots, i.applied.data}), {i.rows[r]}, i.origin});
    });
    section = builder.finish(section.n_rows);
  };
  in(system.flat.equations);
  in(system.flat.initial_equations);
  if (!system.flat.optimization) return Done{};
  in(system.flat.optimization->objective);
  in(system.flat.optimization->integrand);
  return Done{};
}

}  // namespace bolza::passes
