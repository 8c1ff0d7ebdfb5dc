// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "server/api/application.h"

namespace bolza::server {

/// Text as it stands in HTML and in its attributes; control characters and marks that turn the direction are spelt out.
std::string html(const std::string& text);
/// "2026-11-29 11:54 UTC"
std::string shown_time(double seconds);
/// "12.3 MB"
std::string shown_bytes(std::int64_t bytes);

struct PageParts {
  std::string title, body;
  std::string here;  ///< the entry of the menu that this is: /jobs, /new, /account
  int status = 200;
};
/// A whole page, with the menu of who asks.
Answer page(const Call& call, const PageParts& parts);
Answer redirect(const std::string& to);
/// One line of trouble, as a page.
Answer page_of_trouble(const Call& call, int status, const std::string& what);

/// <form method=post> with the secret that shows where it comes from. @param inner  its fields
std::string form_to(const Call& call, const std::string& action, const std::string& inner,
                    const std::string& attributes = "");
/// A labelled field. @param attributes  as they are
std::string field(const std::string& name, const std::string& label, const std::string& value,
                  const std::string& attributes = "", const std::string& hint = "");
struct Choice {
  std::string value, text;
};
std::string choice(const std::string& name, const std::string& label, const std::vector<Choice>& choices,
                   const std::string& chosen);
std::string button(const std::string& text, const std::string& kind = "");
/// <p class=wrong role=alert>; "" of nothing.
std::string alert(const std::string& what);

}  // namespace bolza::server
