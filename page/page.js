// SPDX-License-Identifier: Apache-2.0
// What makes the pages livelier; each of them is complete without it.
const $ = (selector) => document.querySelector(selector);
const csrf = $("meta[name=csrf]")?.content || "";

async function optional(name) {
  try { return await import(`/assets/${name}`); } catch { return null; }  // the bundle was not built
}

async function send(path, body) {
  const answer = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json", "X-CSRF-Token": csrf}, body: JSON.stringify(body)});
  return {status: answer.status, body: await answer.json().catch(() => ({}))};
}

// ---- light and dark
$("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

// ---- a curve without a library: objective over iterations
function simplePlot(place, points, label) {
  const finite = points.filter((p) => Number.isFinite(p.y));
  if (finite.length < 2) return;
  const [w, h, left, low] = [600, 220, 70, 24];
  const xs = finite.map((p) => p.x), ys = finite.map((p) => p.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const at = (p) => `${left + (w - left - 8) * (p.x - x0) / (x1 - x0 || 1)},${8 + (h - low - 8) * (1 - (p.y - y0) / (y1 - y0 || 1))}`;
  const short = (v) => Number(v.toPrecision(4)).toString();
  place.innerHTML = `<svg viewBox="0 0 ${w} ${h}" role="img" aria-label="${label}"><polyline fill="none" stroke="var(--accent)" stroke-width="2" points="${finite.map(at).join(" ")}"/>` +
    `<text x="4" y="16">${short(y1)}</text><text x="4" y="${h - low}">${short(y0)}</text><text x="${left}" y="${h - 6}">${short(x0)}</text><text x="${w - 8}" y="${h - 6}" text-anchor="end">${short(x1)}</text></svg>`;
}

function drawProgress(place, plot, points) {
  if (points.length < 2) return;
  const x = points.map((_, k) => k);
  if (!plot) { simplePlot(place, points.map((p, k) => ({x: k, y: p.objective})), "objective over iterations"); return; }
  const curves = [{name: "objective", x, y: points.map((p) => p.objective)}];
  plot.draw(place, curves, {label: "iteration", height: 220});
  const second = $("#infeasibility");
  const powers = points.map((p) => (p.infeasibility > 0 ? Math.log10(p.infeasibility) : null));
  if (second && powers.some((v) => v !== null)) plot.draw(second, [{name: "log₁₀ infeasibility", x, y: powers}], {label: "iteration", height: 180});
}

// ---- one job
async function watch(job) {
  const plot = await optional("plot.js");
  const points = [];
  let due = false;
  const redraw = () => { if (due) return; due = true; requestAnimationFrame(() => { due = false; drawProgress($("#convergence"), plot, points); }); };
  const events = new EventSource(`/api/v1/jobs/${job.dataset.job}/events${job.dataset.query}`);
  events.addEventListener("progress", (event) => {
    const p = JSON.parse(event.data);
    if ("iteration" in p) { points.push(p); redraw(); }
    $("#progress").textContent = "iteration" in p
      ? `${p.stage}: iteration ${p.iteration}, objective ${p.objective === null ? "not finite" : Number(p.objective.toPrecision(8))}, infeasibility ${Number((p.infeasibility || 0).toPrecision(2))}`
      : "points" in p ? `${p.points} of ${p.of} points, ${p.not_solved} not solved`
      : `t = ${Number(p.time.toPrecision(4))} of ${Number(p.stop.toPrecision(4))}`;
  });
  const wasOver = job.dataset.over === "true";
  events.addEventListener("state", (event) => {
    const said = JSON.parse(event.data);
    if (!wasOver) { $("#state").textContent = said.state; $("#state").className = `state ${said.state}`; }
  });
  events.addEventListener("end", () => { events.close(); if (!wasOver) location.reload(); });
}

function columnsOf(text) {
  const lines = text.trim().split("\n");
  const split = (line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((part) => part.replace(/,$/, "").replace(/^"|"$/g, "").replace(/""/g, '"'));
  const names = split(lines[0]).filter((n) => n !== "");
  const rows = lines.slice(1).map((line) => line.split(",").map(Number));
  return {names, column: (k) => rows.map((row) => row[k])};
}

/** Where time stands still the last value counts, as a curve has one value at a time. */
function curve(table, k, name, job) {
  const t = table.column(0), v = table.column(k), x = [], y = [];
  t.forEach((time, i) => {
    if (x.length && time <= x[x.length - 1]) y[y.length - 1] = v[i];
    else { x.push(time); y.push(v[i]); }
  });
  return {name, x, y: y.map((value) => (Number.isFinite(value) ? value : null)), job};
}

async function trajectories(place) {
  const plot = await optional("plot.js");
  if (!plot) return;
  const jobs = [{id: place.dataset.job, query: place.dataset.query}];
  const tables = [];
  const load = async (job) => {
    const answer = await fetch(`/api/v1/jobs/${job.id}/results/result.csv${job.query}`);
    if (answer.ok) tables.push({job, table: columnsOf(await answer.text())});
    return answer.ok;
  };
  if (!(await load(jobs[0]))) return;
  place.hidden = false;
  const names = tables[0].table.names.slice(1), list = $("#names");
  const chosen = new Set(names.filter((n) => !/[(]|hamiltonian|^(start|final)Time$/.test(n)).slice(0, 4));
  const show = () => {
    const curves = [];
    tables.forEach(({table}, number) => {
      for (const name of chosen) {
        const k = table.names.indexOf(name);
        if (k > 0) curves.push(curve(table, k, tables.length > 1 ? `${name} (${number + 1})` : name, number));
      }
    });
    if (curves.length) plot.draw($("#curves"), curves);
  };
  for (const name of names) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = chosen.has(name);
    box.addEventListener("change", () => { if (box.checked) chosen.add(name); else chosen.delete(name); show(); });
    label.append(box, ` ${name}`);
    list.append(label);
  }
  $("#compare")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const id = $("#other").value.trim().split("/").pop();
    const good = /^[0-9a-f]{32}$/.test(id) && await load({id, query: ""});
    $("#compared").textContent = good ? `curve (${tables.length}) is that of ${id}` : "there is no such job with a trajectory";
    show();
  });
  show();
}

// ---- a new job
function listDiagnostics(list) {
  const place = $("#diagnostics");
  place.replaceChildren(...list.map((d) => {
    const item = document.createElement("li");
    item.className = d.severity;
    item.textContent = `line ${d.line}: ${d.message} [${d.code}]`;
    return item;
  }));
}

async function newJob(form) {
  const field = form.elements.model, name = form.elements.model_name;
  const editor = await optional("editor.js");
  let timer = 0, asked = 0, shown = null;
  const check = async () => {
    const mine = ++asked, file = name.value || "model.mop";
    const {status, body} = await send("/api/v1/check", {command: form.elements.command.value, files: {[file]: field.value}, model: file, class: form.elements.class.value});
    if (mine !== asked) return;
    if (status === 503) { later(); return; }  // others are being checked
    const list = status === 200 ? body.diagnostics.filter((d) => d.line) : [];
    shown?.show(list);
    listDiagnostics(list);
    $("#checked").textContent = status === 200 ? (list.length ? `${list.length} ${list.length === 1 ? "message" : "messages"}` : "nothing is wrong") : body.error || "";
  };
  const later = () => { clearTimeout(timer); timer = setTimeout(check, 500); };
  if (editor) shown = editor.edit(field, later);
  else field.addEventListener("input", later);
  form.elements.class.addEventListener("input", later);
  $("#example")?.addEventListener("change", async (event) => {
    if (!event.target.value) return;
    const text = await (await fetch(`/examples/${event.target.value}`)).text();
    name.value = event.target.value;
    form.elements.class.value = "";
    if (shown) shown.replace(text); else { field.value = text; later(); }
  });
  $("#upload")?.addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    form.elements.data_name.value = file.name.replace(/[^\w.-]/g, "_");
    form.elements.data.value = await file.text();
  });
  if (field.value) check();
}

if ($("[data-job][data-over]")) watch($("[data-job][data-over]"));
if ($("#trajectories")) trajectories($("#trajectories"));
if ($("#new-job")) newJob($("#new-job"));
