// SPDX-License-Identifier: Apache-2.0
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include "base/expects.h"
#include "compiler/codegen/llvm/orc_loader_internal.h"

namespace bolza::codegen {
namespace {

namespace orc = llvm::orc;

class OrcLoader final : public ObjectLoader {
 public:
  explicit OrcLoader(std::unique_ptr<orc::ExecutorProcessControl> control)
      : session_(std::move(control)),
        layer_(session_),
        libraries_(&session_.createBareJITDylib("libraries")) {
    session_.setErrorReporter(
        [](llvm::Error error) { llvm::consumeError(std::move(error)); });  // reported by what `load` returns
    for (const char* name : {"libm.so.6", "libmvec.so.1", "libc.so.6"}) {
      auto library = orc::DynamicLibrarySearchGenerator::Load(name, '\0');
      if (library) libraries_->addGenerator(std::move(*library));
      else llvm::consumeError(library.takeError());
    }
  }
  ~OrcLoader() override {
    if (auto error = session_.endSession()) llvm::consumeError(std::move(error));
  }

  std::vector<void*> load(const std::string& object, std::span<const std::string> symbols,
                          std::span<const Symbol> outside) override {
    orc::JITDylib& space = session_.createBareJITDylib("object" + std::to_string(loaded_++));
    orc::SymbolMap known;
    for (const Symbol& symbol : outside)
      known[session_.intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
    if (!known.empty())
      if (auto error = space.define(orc::absoluteSymbols(std::move(known)))) llvm::consumeError(std::move(error));
    space.addToLinkOrder(*libraries_);
    if (auto error = layer_.add(space, llvm::MemoryBuffer::getMemBufferCopy(object))) {
      llvm::consumeError(std::move(error));
      return {};
    }
    orc::SymbolLookupSet wanted;
    for (const std::string& symbol : symbols) wanted.add(session_.intern(symbol));
    auto found = session_.lookup({{&space, orc::JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
    if (!found) {
      llvm::consumeError(found.takeError());
      return {};
    }
    std::vector<void*> addresses;
    for (const std::string& symbol : symbols)
      addresses.push_back((*found)[session_.intern(symbol)].getAddress().toPtr<void*>());
    return addresses;
  }

 private:
  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer layer_;
  orc::JITDylib* libraries_;
  std::size_t loaded_ = 0;
};

}  // namespace

std::unique_ptr<ObjectLoader> orc_loader() {
  auto control = orc::SelfExecutorProcessControl::Create();
  expects(bool(control), "this process can load code");
  return std::make_unique<OrcLoader>(std::move(*control));
}

}  // namespace bolza::codegen
