// Drives pages in Debian's Chromium as a plan on stdin says, and prints what it saw as JSON.
//   {"pages": [{"name", "file", "hash", "javascript", "policy", "dark", "width", "height", "steps": [[action, argument...]...]}]}
// A page with a policy is served with that Content-Security-Policy, as Jenkins does; all others come from file:// addresses.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// The figures behind every picture: {picture: {columns, rows of raw values}}.
function tables() {
  const read = (table) => ({
    columns: [...table.querySelectorAll("thead th")].map((cell) => cell.textContent),
    rows: [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.dataset.value)),
  });
  const found = {};
  for (const details of document.querySelectorAll(".picture details.behind")) {
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    found[details.closest(".picture").id.replace("picture-", "")] = read(details.querySelector("table"));
  }
  return found;
}

const actions = {
  tables: (page) => page.evaluate(tables),
  evaluate: (page, expression) => page.evaluate(expression),
  click: async (page, selector) => { await page.click(selector); return page.url(); },
  press: async (page, key) => { await page.keyboard.press(key); return null; },
  back: async (page) => { await page.goBack(); return page.url(); },
  text: (page, selector) => page.locator(selector).first().innerText(),
  count: (page, selector) => page.locator(selector).count(),
  async sql(page, text) {
    await page.fill("#sql", text);
    await page.evaluate(() => document.querySelector(".answer").replaceChildren());
    await page.click("#sql-box button.button");
    await page.waitForSelector(".answer table, .answer .error");
    const error = await page.locator(".answer .error").allInnerTexts();
    return error[0] ?? page.evaluate(() => [...document.querySelectorAll(".answer tbody tr")].map((row) => [...row.cells].map((cell) => cell.dataset.value)));
  },
  async shot(page, path, selector) {
    if (selector) await page.locator(selector).screenshot({ path });
    else await page.screenshot({ path });
    return path;
  },
};

async function drive(browser, plan) {
  const context = await browser.newContext({ viewport: { width: plan.width ?? 1280, height: plan.height ?? 900 }, javaScriptEnabled: plan.javascript !== false, colorScheme: plan.dark ? "dark" : "light" });
  context.setDefaultTimeout(0); // whoever started this ends it: a loaded machine is slow
  context.setDefaultNavigationTimeout(0);
  const page = await context.newPage();
  const seen = { requests: [], errors: [], dialogs: [], answers: [] };
  let address = pathToFileURL(plan.file).href;
  if (plan.policy) {
    address = "http://page.test/report.html";
    await context.route("**", (route) => (route.request().url() === address
      ? route.fulfill({ body: readFileSync(plan.file), contentType: "text/html; charset=utf-8", headers: { "Content-Security-Policy": plan.policy } })
      : route.abort()));
  }
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error.stack)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("dialog", (dialog) => { seen.dialogs.push(dialog.message()); dialog.dismiss(); });
  await page.goto(address + (plan.hash ?? ""));
  for (const [action, ...words] of plan.steps ?? []) seen.answers.push(await actions[action](page, ...words));
  seen.ready = plan.javascript === false || plan.policy ? null : await page.evaluate(() => Number(document.documentElement.dataset.ready));
  await context.close();
  return seen;
}

const { pages } = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({ executablePath: process.env.CS_TEST_CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
const answers = {};
try {
  for (const plan of pages) answers[plan.name] = await drive(browser, plan);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(answers));
