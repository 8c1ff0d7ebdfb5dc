// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

/// What words of other languages, and of the field, are in Modelica: for messages about names that do not exist.
namespace bolza::syntax {

enum class WordPlace : std::uint8_t {
  expression,  ///< a variable or function: `ln`, `t`
  type,        ///< `double`
  prefix,      ///< before a type: `control`
  section,     ///< `subject to`
  attribute,   ///< of an optimization class: `maximize`
  character    ///< no token: `&`
};

/// How it is said in Modelica; empty when the word is not known, which most are not.
std::vector<Note> note_on_word(std::string_view word, WordPlace place);

/// Of a name that does not exist among these: what it means in other languages, or the derivative of a name that does exist
/// (`dx`, `xdot`), or the nearest of them.
std::vector<Note> note_on_name(std::string_view name, const std::vector<std::string>& existing, WordPlace place);

}  // namespace bolza::syntax
