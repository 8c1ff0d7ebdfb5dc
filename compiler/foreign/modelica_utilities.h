// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// The functions of ModelicaUtilities.h [MLS, 12.9.6], which external C functions may call: ModelicaMessage, ModelicaError,
/// ModelicaAllocateString, … They are symbols of this program; libraries that are opened find them.
namespace bolza::foreign {

/// Runs `function(argument)`; gives what ModelicaError or one of its kind was given, nothing when none was called.
/// @param result  what the function returned; false when it did not return
std::optional<std::string> catch_modelica_error(bool (*function)(void*), void* argument, bool& result);

/// Strings of ModelicaAllocateString live until the call that made them has been read.
void forget_allocated_strings();

/// What is done with messages and warnings; without one they are dropped.
using MessageSink = void (*)(const char* text, bool warning);
void set_message_sink(MessageSink sink);

}  // namespace bolza::foreign
