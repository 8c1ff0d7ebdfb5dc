# SPDX-License-Identifier: Apache-2.0
# Run by cpack on the staged install tree: what Debian has in another place or compressed.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
if(EXISTS ${share}/zsh/site-functions)
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)  # Debian's zsh does not look into the other
endif()
file(GLOB texts ${share}/man/man1/*.1 ${share}/doc/bolza/CHANGELOG.md)
if(texts)
  execute_process(COMMAND gzip -9 -n -f ${texts} COMMAND_ERROR_IS_FATAL ANY)
endif()
