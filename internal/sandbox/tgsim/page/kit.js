// What every part of the page builds with. Texts go in as text, never as markup.

// make builds an element with a class and a text.
export function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

// button builds a button. Its label is for those who do not see what is on it.
export function button(className, text, act, label) {
  const b = make("button", className, text);
  b.type = "button";
  if (label) named(b, label);
  if (act) b.addEventListener("click", act);
  return b;
}

// named gives an element a name that is read out, and shown when it is pointed at.
export function named(e, label) {
  e.setAttribute("aria-label", label);
  e.title = label;
  return e;
}

// Shapes of the icons, on a grid of 24.
const shapes = {
  send: "M3.4 20.4 21.5 12 3.4 3.6l-.02 6.5L15.5 12 3.38 13.9z",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  attach: "M20 11.5l-8.4 8.4a5.2 5.2 0 0 1-7.4-7.4l8.5-8.4a3.5 3.5 0 0 1 4.9 4.9l-8.4 8.4a1.7 1.7 0 0 1-2.5-2.4l7.6-7.6",
  more: "M12 5.2v.1M12 12v.1M12 18.7v.1",
  down: "M6 9.5l6 6 6-6",
  close: "M6 6l12 12M18 6 6 18",
  back: "M15 5l-7 7 7 7",
  plus: "M12 5v14M5 12h14",
  keys: "M3.5 6.5h17v11h-17zM7 10h.1M10.3 10h.1M13.7 10h.1M17 10h.1M8 14h8",
  file: "M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4",
  copy: "M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1",
  link: "M9 15 19 5M12 5h7v7",
  group: "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.7-5.6 6-5.6s6 2.3 6 5.6M16 11a2.7 2.7 0 0 0 0-5.4M17.5 14.2c2.1.7 3.5 2.6 3.5 5.3",
  panel: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  bot: "M12 3v3M6 8.5h12a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2zM9 13v1.2M15 13v1.2",
  light: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  auto: "M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17",
  flag: "M6 21V4.5M6 5h11l-2 3.7 2 3.8H6",
  check: "M5 12.5l4.5 4.5L19 7.5",
};

const svg = "http://www.w3.org/2000/svg";

// icon draws one of the shapes. It says nothing: what it is on has a name.
export function icon(name, filled) {
  const e = document.createElementNS(svg, "svg");
  e.setAttribute("viewBox", "0 0 24 24");
  e.setAttribute("class", filled ? "icon filled" : "icon");
  e.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", shapes[name]);
  e.append(path);
  return e;
}

// iconButton is a button with nothing but an icon.
export function iconButton(className, shape, label, act, filled) {
  const b = button("round " + className, undefined, act, label);
  b.append(icon(shape, filled));
  return b;
}

// post asks the server for something, and returns whether it was done, or why not.
export async function post(path, body) {
  try {
    const r = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return r.ok ? "" : why(await r.text()) || String(r.status);
  } catch (e) {
    return String(e.message || e);
  }
}

// why is what a refusal says: in JSON, or as it is.
function why(text) {
  try { return JSON.parse(text).error || text; } catch { return text.trim(); }
}

// copy puts a text on the clipboard.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch { /* an old browser, or one that was not asked: the old way */ }
  const area = make("textarea", "unseen");
  area.value = text;
  (document.querySelector("dialog[open]") || document.body).append(area);
  const before = document.activeElement;
  area.select();
  document.execCommand("copy");
  area.remove();
  before?.focus();
}

// options fills a select, and leaves it alone while nothing changes: an open one would close.
export function options(select, list, value) {
  const now = JSON.stringify(list);
  if (select.dataset.list !== now) {
    select.dataset.list = now;
    select.replaceChildren(...list.map(([v, text]) => {
      const o = make("option", "", text);
      o.value = v;
      return o;
    }));
  }
  if (select.value !== value) select.value = value;
}

// setText changes a text only where it is another one: what is read out is not read out again.
export function setText(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

// remembered keeps a choice in the browser, where that is allowed.
export const remembered = {
  get(name) { try { return localStorage.getItem("sandbox." + name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("sandbox." + name, value); } catch { /* then it is asked again next time */ } },
};

// initials are what stands for a face.
export function initials(name) {
  const words = name.replace(/[^\p{L}\p{N}\s]/gu, " ").trim().split(/\s+/);
  return words.slice(0, 2).map((w) => [...w][0] || "").join("").toUpperCase() || "?";
}
