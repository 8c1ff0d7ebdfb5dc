// SPDX-License-Identifier: Apache-2.0
// The fixed parts of the report: one style sheet and one script, kept as they are sent.
#include "runtime/result/report_page.h"

namespace bolza::result {

const std::string_view report_style = R"css(
:root{--ground:#f6f7f9;--card:#fff;--ink:#1c2430;--soft:#5b6675;--line:#dfe3e8;--accent:#0b6bcb;--good:#11804a;--warn:#a65b00;--bad:#b3261e;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#e69f00;--c5:#56b4e9;--c6:#7a52c7;--c7:#6b7280}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#12161c;--card:#1a2029;--ink:#e6eaf0;--soft:#98a4b3;--line:#2e3743;--accent:#62aef7;
--good:#4cc38a;--warn:#f0a44b;--bad:#ff8078;--c0:#4aa8e8;--c1:#ff8f45;--c2:#2fd1a0;--c3:#e79cc6;--c4:#f5c04f;--c5:#8fd0f7;--c6:#ab8cf0;--c7:#a3acb9}}
:root[data-theme=dark]{--ground:#12161c;--card:#1a2029;--ink:#e6eaf0;--soft:#98a4b3;--line:#2e3743;--accent:#62aef7;
--good:#4cc38a;--warn:#f0a44b;--bad:#ff8078;--c0:#4aa8e8;--c1:#ff8f45;--c2:#2fd1a0;--c3:#e79cc6;--c4:#f5c04f;--c5:#8fd0f7;--c6:#ab8cf0;--c7:#a3acb9}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:1280px;margin:0 auto;padding:28px 24px 60px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:6px 14px}
h1{font-size:24px;margin:0;font-weight:650;overflow-wrap:anywhere}
h2{font-size:16px;margin:34px 0 12px;font-weight:650}
h3{font-size:13px;margin:0 0 4px;font-weight:600;color:var(--soft)}
.status{padding:3px 11px;border-radius:99px;font-size:12.5px;font-weight:600;border:1px solid currentColor}
.solved{color:var(--good)}.acceptable{color:var(--warn)}.failed{color:var(--bad)}
.where{color:var(--soft);flex-basis:100%;overflow-wrap:anywhere}
#theme{margin-left:auto;background:none;border:1px solid var(--line);border-radius:8px;color:var(--soft);padding:4px 10px;cursor:pointer;font:inherit;font-size:12.5px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(176px,1fr));gap:12px;margin-top:20px}
.card,.panel{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}
.card b{display:block;font-size:17px;font-weight:620;font-variant-numeric:tabular-nums;white-space:nowrap}
.card span{color:var(--soft);font-size:12.5px}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:14px}
.panel{padding:12px 12px 10px;min-width:0}
canvas{width:100%;height:270px;display:block;touch-action:pan-y;cursor:crosshair}
.legend{display:flex;flex-wrap:wrap;gap:4px 6px;margin-top:4px}
.legend button{border:0;background:none;color:var(--ink);font:inherit;font-size:12.5px;padding:2px 7px;border-radius:6px;cursor:pointer;display:flex;gap:7px;align-items:center}
.legend button:hover{background:var(--ground)}.legend button.off{opacity:.38;text-decoration:line-through}
.legend i{width:16px;height:3px;border-radius:2px}
.chart{position:relative}
.tip{position:absolute;pointer-events:none;background:var(--card);border:1px solid var(--line);border-radius:7px;padding:5px 9px;font-size:12px;
box-shadow:0 3px 12px #0003;display:none;white-space:nowrap;font-variant-numeric:tabular-nums;z-index:2}
.tip div{display:flex;gap:10px;justify-content:space-between}
.hint{color:var(--soft);font-size:12.5px;margin:-6px 0 12px}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%}
th{font-size:12px;color:var(--soft);font-weight:600;text-align:left}
th,td{padding:6px 14px;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12.5px;min-width:96px;overflow-wrap:break-word}
td.soft{color:var(--soft)}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr));gap:14px}
.mesh{display:block;width:100%;height:46px}
.mesh rect{fill:var(--accent);opacity:.18}.mesh line{stroke:var(--accent);stroke-width:1;vector-effect:non-scaling-stroke}
footer{margin-top:40px;color:var(--soft);font-size:12.5px}
@media print{.hint,#theme{display:none}body{background:#fff}.panel,.card{break-inside:avoid}}
)css";

const std::string_view report_script = R"js(
(() => {
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const fmt = v => v === 0 ? "0" : !isFinite(v) ? "–" : (Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3) ? v.toExponential(4) : String(+v.toPrecision(6));
  function ticks(lo, hi, wanted) {
    const raw = (hi - lo) / Math.max(1, wanted), p = 10 ** Math.floor(Math.log10(raw)), l = raw / p;
    const step = p * (l <= 1 ? 1 : l <= 2 ? 2 : l <= 5 ? 5 : 10), out = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step; ++k) out.push(k * step);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), big = Math.max(Math.abs(lo), Math.abs(hi));
    return out.map(v => [v, big >= 1e5 || big < 1e-3 ? (v ? v.toExponential(Math.max(0, Math.min(8, Math.floor(Math.log10(Math.abs(v)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)))) : "0") : v.toFixed(digits)]);
  }
  const charts = [];
  class Chart {
    constructor(box) {
      this.box = box;
      this.phase = data.phases[+box.dataset.phase];
      this.panel = this.phase.panels[+box.dataset.panel];
      this.on = this.panel.series.map(() => true);
      this.canvas = box.appendChild(document.createElement("canvas"));
      this.tip = box.appendChild(document.createElement("div"));
      this.tip.className = "tip";
      this.legend(box.parentNode.appendChild(document.createElement("div")));
      const c = this.canvas;
      c.addEventListener("pointermove", e => this.move(e));
      c.addEventListener("pointerleave", () => { this.pointer = null; all(x => x.hover(null)); });
      c.addEventListener("pointerdown", e => { this.from = e.offsetX; c.setPointerCapture(e.pointerId); });
      c.addEventListener("pointerup", e => this.release(e));
      c.addEventListener("dblclick", () => zoom(this.phase, null));
      c.addEventListener("wheel", e => this.wheel(e), {passive: false});
      new ResizeObserver(() => this.draw()).observe(c);
    }
    legend(box) {
      box.className = "legend";
      if (this.panel.bundle) {
        box.append(`${this.panel.bundle}: ${this.panel.series.length} scenarios`);
        return;
      }
      this.panel.series.forEach((s, i) => {
        const b = box.appendChild(document.createElement("button")), mark = b.appendChild(document.createElement("i"));
        mark.style.background = `var(--c${i % 8})`;
        b.append(s.u ? `${s.n} [${s.u}]` : s.n);
        b.onclick = () => { this.on[i] = !this.on[i]; b.classList.toggle("off", !this.on[i]); this.draw(); };
      });
    }
    range() {
      const t = this.phase.time;
      return this.phase.zoom || [t[0], t[t.length - 1] > t[0] ? t[t.length - 1] : t[0] + 1];
    }
    draw() {
      const ratio = devicePixelRatio || 1, w = this.canvas.clientWidth, h = this.canvas.clientHeight, g = this.canvas.getContext("2d");
      if (!w) return;
      this.canvas.width = w * ratio; this.canvas.height = h * ratio; g.scale(ratio, ratio);
      g.font = "11.5px system-ui,sans-serif";
      const t = this.phase.time, [x0, x1] = this.range();
      let lo = Infinity, hi = -Infinity;
      this.panel.series.forEach((s, i) => {
        if (!this.on[i]) return;
        const y = this.phase.columns[s.c];
        for (let k = 0; k < t.length; ++k) if (t[k] >= x0 && t[k] <= x1 && y[k] !== null) { lo = Math.min(lo, s.s * y[k]); hi = Math.max(hi, s.s * y[k]); }
        if (s.points) s.points[0].forEach((x, k) => { if (x >= x0 && x <= x1) { lo = Math.min(lo, s.points[1][k]); hi = Math.max(hi, s.points[1][k]); } });
        for (const e of [x0, x1]) { const v = at(t, y, e); if (v !== null) { lo = Math.min(lo, s.s * v); hi = Math.max(hi, s.s * v); } }
      });
      if (!isFinite(lo)) lo = 0, hi = 1;
      const reach = .5 * (hi - lo), [low, high] = [lo - reach, hi + reach];  // bounds that are far away stay out of sight
      const limits = this.panel.bundle ? [] : this.panel.series.flatMap((s, i) => this.on[i] ? [["min", s.lo, i], ["max", s.hi, i]] : []).filter(([, v]) => v !== undefined && v >= low && v <= high);
      for (const [, v] of limits) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
      const flat = hi - lo <= 1e-9 * Math.max(Math.abs(lo), Math.abs(hi)) || hi === lo;
      const room = flat ? (Math.abs(hi) * .1 || 1) : (hi - lo) * .06;
      lo -= room; hi += room;
      const ys = ticks(lo, hi, h / 48), left = Math.max(...ys.map(v => g.measureText(v[1]).width), 18) + 12, right = w - 10, unit = this.panel.series[0].u, top = unit ? 24 : 8, bottom = h - 40;
      const X = v => left + (v - x0) / (x1 - x0) * (right - left), Y = v => bottom - (v - lo) / (hi - lo) * (bottom - top);
      Object.assign(this, {left, right, top, bottom, X, Y});
      g.strokeStyle = css("--line"); g.fillStyle = css("--soft"); g.lineWidth = 1;
      g.textAlign = "right"; g.textBaseline = "middle";
      for (const [v, l] of ys) { const y = Math.round(Y(v)) + .5; g.beginPath(); g.moveTo(left, y); g.lineTo(right, y); g.stroke(); g.fillText(l, left - 7, y); }
      g.textAlign = "center"; g.textBaseline = "top";
      for (const [v, l] of ticks(x0, x1, (right - left) / 80)) { const x = Math.round(X(v)) + .5; g.beginPath(); g.moveTo(x, top); g.lineTo(x, bottom); g.stroke(); g.fillText(l, Math.min(x, right - 8), bottom + 7); }
      g.fillText(this.phase.x, (left + right) / 2, bottom + 23);
      g.textAlign = "left";
      if (unit) g.fillText(`[${unit}]`, 4, 3);
      g.save(); g.beginPath(); g.rect(left, top - 1, right - left, bottom - top + 2); g.clip();
      g.lineWidth = this.panel.bundle ? 1 : 1.8; g.lineJoin = "round";
      this.panel.series.forEach((s, i) => {
        if (!this.on[i]) return;
        const y = this.phase.columns[s.c]; let pen = false;
        g.strokeStyle = css("--c" + i % 8); g.beginPath();
        for (let k = 0; k < t.length; ++k) {
          if (y[k] === null) { pen = false; continue; }
          pen ? g.lineTo(X(t[k]), Y(s.s * y[k])) : g.moveTo(X(t[k]), Y(s.s * y[k])); pen = true;
        }
        g.stroke();
        if (s.points) s.points[0].forEach((x, k) => { g.beginPath(); g.arc(X(x), Y(s.points[1][k]), 3.4, 0, 7); g.stroke(); });
      });
      g.lineWidth = 1.2; g.setLineDash([6, 4]); g.textAlign = "right"; g.textBaseline = "bottom";
      for (const [name, v, i] of limits) {
        g.strokeStyle = g.fillStyle = css("--c" + i % 8); g.beginPath(); g.moveTo(left, Y(v)); g.lineTo(right, Y(v)); g.stroke();
        g.fillText(name, right - 4, Y(v) - 1);
      }
      g.setLineDash([]);
      if (this.from != null && this.pointer != null && Math.abs(this.pointer - this.from) > 3) {
        g.fillStyle = css("--accent"); g.globalAlpha = .14; g.fillRect(Math.min(this.from, this.pointer), top, Math.abs(this.pointer - this.from), bottom - top); g.globalAlpha = 1;
      }
      if (this.mark != null) {
        g.strokeStyle = css("--soft"); g.lineWidth = 1; g.setLineDash([3, 3]); g.beginPath(); g.moveTo(X(this.mark), top); g.lineTo(X(this.mark), bottom); g.stroke(); g.setLineDash([]);
        this.panel.series.forEach((s, i) => {
          const v = this.on[i] ? at(t, this.phase.columns[s.c], this.mark) : null;
          if (v !== null) { g.fillStyle = css("--c" + i % 8); g.beginPath(); g.arc(X(this.mark), Y(s.s * v), 3.2, 0, 7); g.fill(); }
        });
      }
      g.restore();
    }
    time(px) { const [a, b] = this.range(); return a + (Math.min(Math.max(px, this.left), this.right) - this.left) / (this.right - this.left) * (b - a); }
    move(e) {
      this.pointer = e.offsetX;
      const t = this.time(e.offsetX);
      all(c => c.hover(c.phase === this.phase ? t : null));
      const rows = this.panel.series.map((s, i) => this.on[i] ? [i, s, at(this.phase.time, this.phase.columns[s.c], t)] : null).filter(Boolean);
      this.tip.replaceChildren(line(null, "time", fmt(t)), ...rows.slice(0, 14).map(([i, s, v]) => line(i, s.n, v === null ? "–" : fmt(s.s * v))));
      this.tip.style.display = "block";
      const flip = e.offsetX > this.canvas.clientWidth - this.tip.offsetWidth - 24;
      this.tip.style.left = (flip ? e.offsetX - this.tip.offsetWidth - 14 : e.offsetX + 14) + "px";
      this.tip.style.top = Math.min(e.offsetY + 8, this.canvas.clientHeight - this.tip.offsetHeight) + "px";
    }
    hover(t) { this.mark = t; if (t === null || this.pointer == null) this.tip.style.display = "none"; this.draw(); }
    release(e) {
      const a = this.from; this.from = null;
      if (a != null && Math.abs(e.offsetX - a) > 5) zoom(this.phase, [this.time(Math.min(a, e.offsetX)), this.time(Math.max(a, e.offsetX))]);
    }
    wheel(e) {
      if (!e.ctrlKey && !e.shiftKey && !this.phase.zoom && e.deltaY > 0) return;
      e.preventDefault();
      const [a, b] = this.range(), m = this.time(e.offsetX), f = Math.exp(e.deltaY * .0016), t = this.phase.time;
      const lo = Math.max(t[0], m - (m - a) * f), hi = Math.min(t[t.length - 1], m + (b - m) * f);
      zoom(this.phase, lo <= t[0] && hi >= t[t.length - 1] ? null : hi - lo > 1e-9 * Math.max(Math.abs(lo), Math.abs(hi)) ? [lo, hi] : [a, b]);
    }
  }
  function line(i, name, value) {
    const d = document.createElement("div"), n = document.createElement("span"), v = document.createElement("b");
    n.textContent = name; v.textContent = value; if (i !== null) n.style.color = `var(--c${i % 8})`;
    d.append(n, v); return d;
  }
  function at(t, y, x) {
    if (x < t[0] || x > t[t.length - 1]) return null;
    let a = 0, b = t.length;
    while (a < b) { const m = a + b >> 1; t[m] <= x ? a = m + 1 : b = m; }
    if (a === t.length) return y[a - 1];
    if (a === 0 || y[a] === null || y[a - 1] === null) return y[Math.max(0, a - 1)];
    return y[a - 1] + (y[a] - y[a - 1]) * (x - t[a - 1]) / (t[a] - t[a - 1]);
  }
  const all = f => charts.forEach(f);
  function zoom(phase, range) { phase.zoom = range; all(c => { if (c.phase === phase) c.draw(); }); }
  document.querySelectorAll(".chart").forEach(box => charts.push(new Chart(box)));
  const button = document.getElementById("theme"), root = document.documentElement;
  button.onclick = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme:dark)").matches;
    root.dataset.theme = dark ? "light" : "dark"; all(c => c.draw());
  };
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => all(c => c.draw()));
})();
)js";

}  // namespace bolza::result
