// Replaces the still pictures of the page by those that can be filtered. Without this script the page is whole, too.
import * as ask from "./ask.js";
import * as balance from "./balance.js";
import * as callers from "./callers.js";
import * as communicators from "./communicators.js";
import * as functions from "./functions.js";
import * as glance from "./glance.js";
import * as objects from "./objects.js";
import * as placement from "./placement.js";
import * as ranks from "./ranks.js";
import * as sites from "./sites.js";
import * as sizes from "./sizes.js";
import * as tags from "./tags.js";
import * as timeline from "./timeline.js";
import * as traffic from "./traffic.js";
import { nameOf, parseAddress, read, writeAddress } from "./data.js";
import { hideTip, html, layOut } from "./dom.js";
import { savers } from "./save.js";
import { visible } from "./format.js";

const PICTURES = { ranks, timeline, communicators, functions, balance, traffic, sizes, sites, callers, placement, objects, tags };
// These are about all communicators, whatever is chosen.
const WHOLE = new Set(["callers", "placement", "objects"]);
const PAPER = 700; // pixels between the margins of a sheet: drawings are as wide, so that their text is not scaled

const data = read();
const address = parseAddress(window.location.hash);
if (address.key !== null && !data.communicator.has(address.key)) address.key = null;

function view() {
  return { key: address.key, time: address.time, choose, redraw, keepTime };
}

function redraw(name) {
  const host = document.getElementById(`picture-${name}`);
  hideTip();
  if (!host) return; // a run without events has no time line
  host.replaceChildren();
  host.closest("section").hidden = false;
  let shown;
  try {
    shown = PICTURES[name].draw(host, data, view());
  } catch (error) {
    host.replaceChildren(html("p", { class: "error" }, `This picture failed: ${error.message}`));
    throw error;
  }
  if (address.key === null || shown === false) hideEmpty(host, name, shown);
  host.append(savers(host, name));
  if (WHOLE.has(name) && address.key !== null) host.prepend(html("p", { class: "legend" }, "Of all communicators."));
}

// What scrolls can be reached by keys.
function makeReachable(root) {
  for (const box of root.querySelectorAll(".table, .picture, pre")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
}

// A part that has nothing, or nothing but a sentence, is not shown.
function hideEmpty(host, name, shown) {
  const section = host.closest("section"), empty = shown === false || host.children.length === 1 && host.firstChild.tagName === "P" && !section.querySelector(".reports table");
  section.hidden = empty;
  for (const link of document.querySelectorAll(`nav a[href="#${name}"]`)) link.hidden = empty;
}

function showFilter() {
  const bar = document.getElementById("filter");
  document.body.classList.toggle("filtered", address.key !== null);
  bar.replaceChildren();
  if (address.key === null) return;
  bar.append("Only ", html("strong", {}, visible(nameOf(data, address.key), 120)), " ", html("button", { type: "button", class: "button", onclick: () => choose(null) }, "Show all"));
}

function apply() {
  showFilter();
  for (const name of Object.keys(PICTURES)) redraw(name);
}

// The address of what is shown, which can be sent to others.
function here(part) {
  const hash = writeAddress({ ...address, part });
  return hash === "#" ? window.location.pathname + window.location.search : hash;
}

// A second click on what is chosen shows all again.
function choose(key) {
  address.key = key === address.key ? null : key;
  window.history.pushState(null, "", here(parseAddress(window.location.hash).part));
  apply();
}

function keepTime(time) {
  address.time = time;
  window.history.replaceState(null, "", here("timeline"));
}

function follow() {
  const now = parseAddress(window.location.hash);
  if (now.key !== null && !data.communicator.has(now.key)) now.key = null;
  if (now.key !== address.key) {
    address.key = now.key;
    apply();
  }
  if (now.part) document.getElementById(now.part)?.scrollIntoView();
}

// Open for readers without scripts: there the reports are all there is of some parts.
for (const details of document.querySelectorAll("section:has(.picture) > details.reports")) details.open = false;
for (const link of document.querySelectorAll("a[data-key]")) link.setAttribute("href", writeAddress({ part: link.getAttribute("href").slice(1), key: Number(link.dataset.key), time: null }));
if (ask.draw(document.getElementById("ask"), data)) document.querySelector("nav").append(" ", html("a", { href: "#sql-box" }, "Ask in SQL"));
// Links within the page keep the filter.
for (const link of document.querySelectorAll("nav a, .findings a:not([data-key])"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    window.history.pushState(null, "", here(link.getAttribute("href").slice(1)));
    follow();
  });
window.addEventListener("hashchange", follow);
window.addEventListener("popstate", follow);
apply();
glance.draw(document.getElementById("findings"), data);
if (address.part) follow();
makeReachable(document);
document.addEventListener("toggle", (event) => setTimeout(() => makeReachable(event.target)), true); // after a table was made
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw("traffic"));
for (const [event, width] of [["beforeprint", PAPER], ["afterprint", null]])
  window.addEventListener(event, () => {
    layOut(width);
    for (const name of Object.keys(PICTURES)) redraw(name);
  });
document.documentElement.dataset.ready = String(Math.round(performance.now()));
