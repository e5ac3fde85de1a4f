// Figures and names as people read them, the same as in the reports (cli/text/text.c).

// As printf rounds: a tie goes to the even digit. With at most two decimals, a tie is a multiple of 1/8.
function fixed(value, decimals) {
  const scaled = value * 10 ** decimals, below = Math.floor(scaled);
  const even = Number.isInteger(value * 8) && scaled - below === 0.5 && below % 2 === 0;
  return even ? (below / 10 ** decimals).toFixed(decimals) : value.toFixed(decimals);
}

function threeDigits(value, unit) {
  const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${fixed(value, decimals)} ${unit}`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const ns = Math.abs(seconds) * 1e9;
  const sign = seconds < 0 ? "-" : "";
  if (ns < 999.5) return `${sign}${ns.toFixed(0)} ns`;
  if (ns < 999.5e3) return sign + threeDigits(ns / 1e3, "us");
  if (ns < 999.5e6) return sign + threeDigits(ns / 1e6, "ms");
  if (ns < 59.95e9) return sign + threeDigits(ns / 1e9, "s");
  const whole = Math.round(ns / 1e9), minutes = Math.round(ns / 60e9);
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function bytes(count) {
  if (count === null || count === undefined) return "";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let value = Math.abs(Number(count));
  let unit = 0;
  while (value >= 1023.5 && unit + 1 < units.length) {
    value /= 1024;
    unit++;
  }
  const text = unit === 0 ? `${value.toFixed(0)} B` : threeDigits(value, units[unit]);
  return count < 0 ? `-${text}` : text;
}

export function number(count) {
  return count === null || count === undefined ? "" : Number(count).toLocaleString("en-US").replaceAll(",", "\u202f");
}

export function percent(share) {
  return Number.isFinite(share) ? `${fixed(share, 1)} %` : "";
}

// Characters that cannot be seen or that turn the text around, as cs_text_deceives lists them.
const DECEIVING = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// A name from the program, safe to show; of more than `most` characters the middle is missing.
export function visible(text, most = 300) {
  const whole = String(text ?? "");
  const cut = whole.length > most ? `${whole.slice(0, most / 2)}…${whole.slice(-most / 2)}` : whole;
  return cut.replace(DECEIVING, (character) => {
    const code = character.codePointAt(0);
    if (SHORT[character]) return SHORT[character];
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

// The last part of a long name, for a narrow place.
export function brief(text, most = 30) {
  const shown = visible(text);
  return shown.length <= most ? shown : `…${shown.slice(1 - most)}`;
}
