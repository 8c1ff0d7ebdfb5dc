// SPDX-License-Identifier: Apache-2.0
// The pages in a real Chromium: browser.mjs ADDRESS INVITATION FOLDER [CHROMIUM]. Screenshots go to FOLDER. Run by tests/server/browser.py.
import fs from "node:fs";
import {createRequire} from "node:module";
import {chromium} from "playwright-core";

const [address, invitation, folder, program] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({executablePath: program || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
const context = await browser.newContext({viewport: {width: 1200, height: 900}, bypassCSP: false});
const page = await context.newPage();
const troubles = [];
page.on("pageerror", (error) => troubles.push(`script: ${error.message}`));
page.on("console", (message) => { if (message.type() === "error" && !/404/.test(message.text())) troubles.push(`console: ${message.text()}`); });
context.on("request", (request) => { if (!request.url().startsWith(address) && !/^(data|blob|about):/.test(request.url())) troubles.push(`asks elsewhere: ${request.url()}`); });

function demand(holds, what) { if (!holds) throw new Error(what); }
let number = 0;
async function picture(name) { await page.screenshot({path: `${folder}/${String(++number).padStart(2, "0")}_${name}.png`, fullPage: true}); }

/** What axe-core finds; its script is run in a context of its own, which the page's policy does not bind. */
async function accessible(where) {
  const client = await context.newCDPSession(page);
  const {frameTree} = await client.send("Page.getFrameTree");
  const {executionContextId} = await client.send("Page.createIsolatedWorld", {frameId: frameTree.frame.id});
  await client.send("Runtime.evaluate", {expression: axe, contextId: executionContextId});
  const {result} = await client.send("Runtime.evaluate", {
    expression: `axe.run(document, {iframes: false}).then((r) => JSON.stringify(r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | "))))`,
    contextId: executionContextId, awaitPromise: true, returnByValue: true});
  for (const found of JSON.parse(result.value)) troubles.push(`${where}: ${found}`);
}

try {
  await page.goto(`${address}/register?invitation=${invitation}`);
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password").fill("analytical engine");
  await accessible("register");
  await page.getByRole("button", {name: "Open the account"}).click();
  await page.waitForURL("**/new");
  await page.waitForSelector(".cm-editor");
  await page.getByLabel("Begin with").selectOption("van_der_pol.mop");
  await page.waitForFunction(() => document.querySelector("#checked").textContent === "nothing is wrong");
  await picture("new");
  await accessible("new");

  // A mistake is told beside its line as it is typed.
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// a remark\n");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nmodel Wrong Real x; equation der(x) = velocty; end Wrong;");
  await page.getByLabel("Class").fill("Wrong");
  await page.waitForSelector(".cm-lint-marker-error");
  demand((await page.locator("#diagnostics").textContent()).includes("velocty"), "the diagnostic names what is wrong");
  await picture("diagnostics");
  await page.getByLabel("Class").fill("VanDerPol");

  await page.getByLabel("Title").fill("oscillator <b>in the browser</b>");
  await page.getByRole("button", {name: "Submit"}).click();
  await page.waitForURL("**/jobs/*");
  await page.waitForFunction(() => document.querySelector("#state")?.textContent === "done", null, {timeout: 120000});
  await page.waitForSelector("#curves canvas");
  await page.waitForSelector("#convergence canvas");
  demand(/iteration \d+, objective 3\.17/.test(await page.locator("#progress").textContent()), await page.locator("#progress").textContent());
  demand((await page.locator("h1").textContent()) === "oscillator <b>in the browser</b>", "the title is text");
  await page.frameLocator("iframe").locator("svg").first().waitFor();
  await picture("job");
  await page.locator("iframe").scrollIntoViewIfNeeded();
  await page.locator("iframe").screenshot({path: `${folder}/report.png`});
  await accessible("job");
  const first = page.url();

  // Another mesh, and both trajectories in one picture.
  await page.getByRole("link", {name: "Edit a copy"}).click();
  await page.getByLabel("mesh", {exact: false}).first().fill("20");
  await page.getByRole("button", {name: "Submit"}).click();
  await page.waitForURL((url) => /\/jobs\//.test(url.href) && url.href !== first);
  await page.waitForFunction(() => document.querySelector("#state")?.textContent === "done", null, {timeout: 120000});
  await page.waitForSelector("#curves canvas");
  await page.getByLabel("Compare with the job").fill(first);
  await page.getByRole("button", {name: "Compare"}).click();
  await page.waitForFunction(() => document.querySelector("#compared").textContent.includes("curve (2)"));
  await page.locator("#trajectories").screenshot({path: `${folder}/compared.png`});

  await page.getByRole("button", {name: "Share by a link"}).click();
  const link = await page.locator(".secret").textContent();
  await page.goto(`${address}/jobs`);
  await page.getByLabel("Search").fill("oscillator");
  await page.getByRole("button", {name: "Search"}).click();
  demand(await page.locator("tbody tr").count() === 2, "both are in the archive");
  await picture("archive");
  await accessible("jobs");
  await page.goto(`${address}/account`);
  await accessible("account");
  await page.getByRole("button", {name: "light / dark"}).click();
  await picture("account_dark");
  await accessible("account, dark");
  await page.goto(first);
  await page.waitForSelector("#curves canvas");
  await picture("job_dark");
  await accessible("job, dark");

  // A fit, with a table from the computer.
  await page.goto(`${address}/new?command=fit`);
  await page.waitForSelector(".cm-editor");
  fs.writeFileSync(`${folder}/runs.csv`, "time,x\n" + [0, 1, 2, 3, 4].map((t) => `${t},${Math.exp(-0.7 * t)}`).join("\n") + "\n");
  await page.locator(".cm-content").click();
  await page.keyboard.insertText("model Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend Decay;\n");
  await page.getByLabel("From this computer").setInputFiles(`${folder}/runs.csv`);
  await page.waitForFunction(() => document.querySelector("#data").value.startsWith("time"));
  await page.getByLabel("free", {exact: false}).first().fill("k=1[0,10]");
  await page.getByRole("button", {name: "Submit"}).click();
  await page.waitForURL("**/jobs/*");
  await page.waitForFunction(() => document.querySelector("#state")?.textContent === "done", null, {timeout: 120000});
  await picture("fit");

  // A result is verified by one click; a study is sent by its form.
  const over = (from) => page.waitForFunction((before) => location.href !== before && document.querySelector("#state")?.textContent === "done", from, {timeout: 120000});
  await page.goto(first);
  const solved = page.url();
  await page.getByRole("button", {name: "Verify"}).click();
  await over(solved);
  demand((await page.locator("h2").first().textContent()) === "Checks" && await page.locator("tbody tr").count() > 3, "what was checked is listed");
  await picture("verified");
  await accessible("verified");
  await page.goto(`${address}/new?command=sweep%20simulate`);
  await page.waitForSelector(".cm-editor");
  await accessible("new study");
  await page.locator(".cm-content").click();
  await page.keyboard.insertText("model Decay\n  parameter Real k = 1;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend Decay;\n");
  await page.getByLabel("set", {exact: false}).first().fill("k=range(1,2,9)");
  const form = page.url();
  await page.getByRole("button", {name: "Submit"}).click();
  await over(form);
  await page.frameLocator("iframe").locator("svg").first().waitFor();
  await page.waitForFunction(() => document.querySelector("#progress")?.textContent === "9 of 9 points, 0 not solved", null, {timeout: 30000});
  await picture("study");
  await accessible("study");

  // Somebody else sees nothing of it, but what is shared.
  const other = await browser.newContext();
  const stranger = await other.newPage();
  demand((await stranger.goto(first)).status() === 404, "another sees the job");
  demand((await stranger.goto(link)).status() === 200, "the link shows it");
  await stranger.waitForSelector("#curves canvas");
  demand(await stranger.getByRole("button", {name: "Cancel"}).count() === 0, "who has the link changes nothing");

  // Without what scripts/page builds: a text field, and a plain curve.
  const plain = await browser.newContext({storageState: await context.storageState()});
  await plain.route(/assets\/(editor|plot)\.js/, (route) => route.fulfill({status: 404}));
  const bare = await plain.newPage();
  await bare.goto(`${address}/new`);
  await bare.locator("#model").fill("optimization Q(objective = p^2, startTime = 0, finalTime = 1) parameter Real p(free = true, start = 3); Real x(start = 1, fixed = true); equation der(x) = -x*q; end Q;");
  await bare.waitForSelector("#diagnostics li");
  await bare.locator("#model").fill((await (await bare.request.get(`${address}/examples/van_der_pol.mop`)).text()));
  await bare.waitForFunction(() => document.querySelector("#checked").textContent === "nothing is wrong");
  await bare.getByRole("button", {name: "Submit"}).click();
  await bare.waitForURL("**/jobs/*");
  await bare.waitForFunction(() => document.querySelector("#state")?.textContent === "done", null, {timeout: 120000});
  await bare.waitForSelector("#convergence svg polyline");
  await bare.screenshot({path: `${folder}/plain.png`});

  // The keyboard alone: the first Tab leads to what skips the menu.
  await page.goto(`${address}/login`);
  await page.keyboard.press("Tab");
  demand(await page.evaluate(() => document.activeElement.textContent) === "Skip to the content", "the first stop of the keyboard");
} catch (error) {
  troubles.push(error.message);
  await picture("trouble").catch(() => {});
}
await browser.close();
for (const trouble of new Set(troubles)) console.log(`FAILED  ${trouble}`);
console.log(troubles.length ? "" : "ok      the pages in Chromium");
process.exit(troubles.length ? 1 : 0);
