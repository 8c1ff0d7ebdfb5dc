#include "compiler/codegen/engine.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include "base/expects.h"
#include "compiler/codegen/foreign_symbols_internal.h"

namespace bolza::codegen {

namespace orc = llvm::orc;

struct Engine::Parts {
  orc::ExecutionSession session;
  orc::ObjectLinkingLayer layer;
  orc::JITDylib* libraries;
  std::size_t loaded = 0;

  explicit Parts(std::unique_ptr<orc::ExecutorProcessControl> control)
      : session(std::move(control)),
        layer(session),
        libraries(&session.createBareJITDylib("libraries")) {
    session.setErrorReporter(
        [](llvm::Error error) { llvm::consumeError(std::move(error)); });  // told by what `load` returns
    for (const char* name : {"libm.so.6", "libmvec.so.1", "libc.so.6"}) {
      auto library = orc::DynamicLibrarySearchGenerator::Load(name, '\0');
      if (library) libraries->addGenerator(std::move(*library));
      else llvm::consumeError(library.takeError());
    }
  }
};

Engine::Engine() {
  auto control = orc::SelfExecutorProcessControl::Create();
  expects(bool(control), "this process can load code");
  parts_ = std::make_unique<Parts>(std::move(*control));
}

Engine::~Engine() {
  if (auto error = parts_->session.endSession()) llvm::consumeError(std::move(error));
}

std::vector<void*> Engine::load(const std::string& object, std::span<const std::string> symbols,
                                std::span<const Symbol> outside) {
  orc::JITDylib& space = parts_->session.createBareJITDylib("object" + std::to_string(parts_->loaded++));
  orc::SymbolMap known;
  for (const Symbol& symbol : outside)
    known[parts_->session.intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                  llvm::JITSymbolFlags::Exported};
  if (!known.empty())
    if (auto error = space.define(orc::absoluteSymbols(std::move(known)))) llvm::consumeError(std::move(error));
  space.addToLinkOrder(*parts_->libraries);
  if (auto error = parts_->layer.add(space, llvm::MemoryBuffer::getMemBufferCopy(object))) {
    llvm::consumeError(std::move(error));
    return {};
  }
  orc::SymbolLookupSet wanted;
  for (const std::string& symbol : symbols) wanted.add(parts_->session.intern(symbol));
  auto found = parts_->session.lookup({{&space, orc::JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  std::vector<void*> addresses;
  for (const std::string& symbol : symbols)
    addresses.push_back((*found)[parts_->session.intern(symbol)].getAddress().toPtr<void*>());
  return addresses;
}

}  // namespace bolza::codegen
