// Saves a picture as SVG or PNG, as it is shown: with the filter, the zoom and the colours.
import { html } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg", MARGIN = 12, LINE = 18, FINE = 2;

function download(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function blobOf(canvas) {
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// All drawings of a part below each other, with the name of the run, as one file that needs no page.
function together(host, title) {
  const drawings = [...host.querySelectorAll("svg.drawing")], style = document.querySelector("style").textContent;
  const boxes = drawings.map((drawing) => ({ drawing, caption: drawing.closest("figure")?.querySelector("figcaption")?.textContent ?? null, ...drawing.getBoundingClientRect().toJSON() }));
  const width = Math.max(...boxes.map((box) => box.width)) + 2 * MARGIN, whole = document.createElementNS(SVG, "svg");
  const text = (words, y) => { const line = whole.appendChild(document.createElementNS(SVG, "text")); line.setAttribute("x", MARGIN); line.setAttribute("y", y); line.textContent = words; };
  const root = getComputedStyle(document.documentElement), names = [...new Set(style.match(/--[a-z]+(?=:)/g))];
  const sheet = whole.appendChild(document.createElementNS(SVG, "style"));
  const ground = whole.appendChild(document.createElementNS(SVG, "rect"));
  sheet.textContent = `${style}\n:root { ${names.map((name) => `${name}: ${root.getPropertyValue(name)};`).join(" ")} }`; // the page's colours now, light or dark
  let y = MARGIN + LINE;
  text(`${title}: ${document.querySelector(".run").textContent}`, y - 5);
  for (const box of boxes) {
    if (box.caption) text(box.caption, (y += LINE) - 5);
    const copy = whole.appendChild(box.drawing.cloneNode(true));
    for (const [name, value] of Object.entries({ x: MARGIN, y, width: box.width, height: box.height, style: "" })) copy.setAttribute(name, value);
    y += box.height + MARGIN;
  }
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height: y, viewBox: `0 0 ${width} ${y}` })) whole.setAttribute(name, value);
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", style: `fill: ${root.getPropertyValue("--surface")}` })) ground.setAttribute(name, value);
  return { text: new XMLSerializer().serializeToString(whole), width, height: y };
}

async function png(picture) {
  const image = new Image(), canvas = html("canvas", { width: picture.width * FINE, height: picture.height * FINE });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
}

// The buttons below a picture; nothing if it is a table or a list.
export function savers(host, name) {
  const canvas = host.querySelector("canvas"), drawn = host.querySelector("svg.drawing");
  const title = host.closest("section").querySelector("h2").textContent;
  const button = (text, act) => html("button", { type: "button", class: "button", "aria-label": `Save ${title} as ${text}`, onclick: act }, text);
  if (!canvas && !drawn) return "";
  return html("p", { class: "legend save" }, "Save as ",
    drawn && button("SVG", () => download(new Blob([together(host, title).text], { type: "image/svg+xml" }), `${name}.svg`)), drawn && " ",
    button("PNG", async () => download(await (canvas ? blobOf(canvas) : png(together(host, title))), `${name}.png`)));
}
