// Saves a picture as SVG or PNG, as it is shown: with the filter, the zoom and the colours. Drawings are copied; lists and tables become shapes and text.
import { html } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg", MARGIN = 12, LINE = 22, FINE = 2, LEFT_OUT = ".save, .choice, .tools, details, [hidden]";

function download(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const isSeen = (color) => color !== "transparent" && !/^rgba\(.*, 0\)$|\/ 0\)$/.test(color); // rgb(230, 159, 0) is a colour

// The lines into which a text is broken: [its words, their box].
function linesOf(node) {
  const range = document.createRange(), lines = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getBoundingClientRect(), last = lines.at(-1);
    if (last && Math.abs(last.box.top - box.top) < 2) Object.assign(last, { words: `${last.words} ${word}`, right: box.right });
    else if (box.width) lines.push({ words: word, box, right: box.right });
  }
  return lines;
}

function drawText(node, place, opacity) {
  const style = getComputedStyle(node.parentElement);
  return linesOf(node).map(({ words, box, right }) => shape("text", { x: place.x(box.left), y: place.y(box.top) + box.height * 0.78, textLength: right - box.left, opacity,
    style: `fill: ${style.color}; font: ${style.fontWeight} ${style.fontSize} ${style.fontFamily.replaceAll('"', "'")}` }, words));
}

// The background and borders of an element.
function drawBox(style, box, place, opacity, number) {
  const at = { x: place.x(box.left), y: place.y(box.top), width: box.width, height: box.height, opacity }, shapes = [];
  const colors = style.backgroundImage.startsWith("linear-gradient(to right") ? style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g) : null;
  if (colors?.length === 2) {
    const ramp = shape("linearGradient", { id: `ramp-${number}` });
    ramp.append(...colors.map((color, i) => shape("stop", { offset: i, style: `stop-color: ${color}` })));
    shapes.push(ramp, shape("rect", { ...at, style: `fill: url(#ramp-${number})` }));
  } else if (isSeen(style.backgroundColor)) {
    shapes.push(shape("rect", { ...at, rx: parseFloat(style.borderTopLeftRadius) || 0, style: `fill: ${style.backgroundColor}` }));
  }
  const { x, y, width, height } = at;
  for (const [side, d] of Object.entries({ Top: `M${x} ${y}h${width}`, Right: `M${x + width} ${y}v${height}`, Bottom: `M${x} ${y + height}h${width}`, Left: `M${x} ${y}v${height}` })) {
    const wide = parseFloat(style[`border${side}Width`]);
    if (wide > 0 && style[`border${side}Style`] !== "none" && isSeen(style[`border${side}Color`])) shapes.push(shape("path", { d, opacity, style: `fill: none; stroke: ${style[`border${side}Color`]}; stroke-width: ${wide}` }));
  }
  return shapes;
}

// All that a part shows, with its title and the name of the run, as one file that needs no page.
function together(host, title) {
  const frame = host.getBoundingClientRect(), place = { x: (left) => left - frame.left + MARGIN, y: (top) => top - frame.top + MARGIN + LINE }, shapes = [];
  let right = frame.right, bottom = frame.top;
  const walk = (element, above) => {
    if (element.matches(LEFT_OUT)) return;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element), opacity = above * Number(style.opacity);
    if (!box.width && !box.height) return;
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
    if (element.matches("svg")) {
      const copy = element.cloneNode(true);
      for (const [name, value] of Object.entries({ x: place.x(box.left), y: place.y(box.top), width: box.width, height: box.height, style: "" })) copy.setAttribute(name, value);
      shapes.push(copy);
      return;
    }
    shapes.push(...drawBox(style, box, place, opacity, shapes.length));
    for (const child of element.childNodes)
      if (child.nodeType === Node.TEXT_NODE) shapes.push(...drawText(child, place, opacity));
      else if (child.nodeType === Node.ELEMENT_NODE) walk(child, opacity);
  };
  for (const child of host.children) walk(child, 1);
  const width = right - frame.left + 2 * MARGIN, height = bottom - frame.top + 2 * MARGIN + LINE;
  const rules = document.querySelector("style").textContent, root = getComputedStyle(document.documentElement), names = [...new Set(rules.match(/--[a-z]+(?=:)/g))];
  const whole = shape("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  // The page's colours as they are now, light or dark.
  whole.append(shape("style", {}, `${rules}\n:root { ${names.map((name) => `${name}: ${root.getPropertyValue(name)};`).join(" ")} }`),
    shape("rect", { width: "100%", height: "100%", style: `fill: ${root.getPropertyValue("--surface")}` }),
    shape("text", { x: MARGIN, y: MARGIN + 8, style: "font-weight: 600" }, `${title}: ${document.querySelector(".run").textContent}`), ...shapes);
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

async function png(picture) {
  const image = new Image(), canvas = html("canvas", { width: picture.width * FINE, height: picture.height * FINE });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// The buttons below a picture; nothing below a sentence.
export function savers(host, name) {
  if ([...host.children].every((child) => child.matches("p, details"))) return "";
  const title = host.closest("section").querySelector("h2").textContent;
  const button = (text, act) => html("button", { type: "button", class: "button", "aria-label": `Save ${title} as ${text}`, onclick: act }, text);
  return html("p", { class: "legend save" }, "Save as ", button("SVG", () => download(new Blob([together(host, title).text], { type: "image/svg+xml" }), `${name}.svg`)), " ",
    button("PNG", async () => download(await png(together(host, title)), `${name}.png`)));
}
