// SPDX-License-Identifier: Apache-2.0
// Curves to zoom into, of one job or of several.
import uPlot from "uplot";

const colours = ["#0b6bcb", "#d1495b", "#11804a", "#a65b00", "#7b4fb5", "#008a98", "#8a6d00", "#b0418a"];
const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

/** All times of the tables, and each curve on them; what has no value there is left out. */
function joined(curves) {
  return uPlot.join(curves.map((c) => [c.x, c.y]));
}

/** @param curves [{name, x, y, job}] with ascending x; job numbers tell dashes  @returns the plot */
export function draw(place, curves, {label = "time", height = 320} = {}) {
  place.replaceChildren();
  const axis = {stroke: colour("--soft"), grid: {stroke: colour("--line")}, ticks: {stroke: colour("--line")}};
  const series = curves.map((c, k) => ({label: c.name, stroke: colours[k % colours.length], width: 1.6, dash: dashes[(c.job || 0) % dashes.length], spanGaps: true}));
  const plot = new uPlot({
    width: Math.max(place.clientWidth, 300), height, series: [{label}, ...series],
    scales: {x: {time: false}},
    axes: [{...axis, label}, axis], cursor: {drag: {x: true, y: false}},
  }, joined(curves), place);
  new ResizeObserver(() => plot.setSize({width: Math.max(place.clientWidth, 300), height})).observe(place);
  return plot;
}
