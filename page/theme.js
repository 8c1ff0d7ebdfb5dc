// SPDX-License-Identifier: Apache-2.0
// Before anything is drawn: the choice between light and dark that was made on another page.
const theme = localStorage.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
