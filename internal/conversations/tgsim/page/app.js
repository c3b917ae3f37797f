"use strict";
// The chat page. Everything that the bot or a person wrote is put in as text, never as markup.

const $ = (id) => document.getElementById(id);
let state = { bot: "", hints: [], chats: [] };
let current = Number(location.hash.slice(1)) || null; // id of the chat on screen
const seenToast = {}; // by chat: the last answer to a tap that was shown
let drawn = ""; // what the messages were drawn from

// make builds an element with text and children.
function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function post(path, body) {
  return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { $("toast").hidden = true; }, 2200);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast("Copied");
}

const chat = () => state.chats.find((c) => c.id === current);

// rich draws a text with its entities, which nest and count in UTF-16 units as JavaScript does.
function rich(text, entities) {
  const root = document.createDocumentFragment();
  const all = [...(entities || [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  let i = 0;
  const fill = (parent, from, to) => {
    while (i < all.length && all[i].offset < to) {
      const e = all[i++];
      if (e.offset > from) parent.append(text.slice(from, e.offset));
      const end = Math.min(e.offset + e.length, to);
      const node = element(e, text.slice(e.offset, end));
      parent.append(node);
      fill(node, e.offset, end);
      from = end;
    }
    if (from < to) parent.append(text.slice(from, to));
  };
  fill(root, 0, text.length);
  return root;
}

// element is the node of an entity, empty.
function element(e, text) {
  const tags = { bold: "b", italic: "i", underline: "u", strikethrough: "s", code: "code", pre: "code", blockquote: "blockquote", expandable_blockquote: "blockquote" };
  const node = make(tags[e.type] || "span");
  if (e.type === "code" || e.type === "pre") {
    node.title = "Tap to copy";
    node.tabIndex = 0;
    node.addEventListener("click", () => copy(text));
    node.addEventListener("keydown", (k) => { if (k.key === "Enter") copy(text); });
  }
  if (e.type === "spoiler") {
    node.className = "spoiler";
    node.addEventListener("click", () => node.classList.add("open"));
  }
  return node;
}

function draw() {
  if (!state.chats.length) return;
  if (!chat()) current = state.chats[0].id;
  $("bot").textContent = "@" + state.bot;
  document.title = "@" + state.bot + " · sandbox";
  drawPeople();
  drawHints();
  drawChat(chat());
}

function drawPeople() {
  $("people").replaceChildren(...state.chats.map((c) => {
    const b = make("button");
    b.type = "button";
    b.setAttribute("aria-current", String(c.id === current));
    b.append(make("span", "face", [...c.title][0]), make("span", "name", c.title));
    b.addEventListener("click", () => { current = c.id; drawn = ""; draw(); });
    return b;
  }));
}

function hint(h) {
  const box = make("div", "hint");
  const words = make("div");
  words.append(make("small", "", h.Label), make("code", "", h.Value));
  const b = make("button", "", "Copy");
  b.type = "button";
  b.addEventListener("click", () => copy(h.Value));
  box.append(words, b);
  return box;
}

function drawHints() {
  if ($("panel").childElementCount) return;
  $("panel").append(make("h1", "", "Sandbox"),
    make("p", "", "A simulated Telegram on the left, a simulated reseller service behind the bot. Press Start, link the key below, and buy something. Nothing here costs money."),
    ...(state.hints || []).map(hint));
  $("hintbar").append(...(state.hints || []).map(hint));
}

function drawChat(c) {
  $("language").value = c.language;
  if (!c.toast) seenToast[c.id] ??= "";
  $("start").hidden = c.messages.length > 0;
  $("composer").hidden = c.messages.length === 0;
  const now = JSON.stringify([current, c.messages, c.waiting]);
  if (now !== drawn) {
    drawn = now;
    const box = $("messages");
    box.replaceChildren(...c.messages.map((m) => bubble(c, m)));
    box.scrollTop = box.scrollHeight;
  }
  if (c.toast && seenToast[c.id] !== c.toast.id) {
    const old = !(c.id in seenToast); // it was answered before this chat came on screen
    seenToast[c.id] = c.toast.id;
    if (old) return;
    if (c.toast.alert) {
      $("alert").firstElementChild.textContent = c.toast.text;
      $("alert").showModal();
    } else {
      toast(c.toast.text);
    }
  }
}

function bubble(c, m) {
  const row = make("div", "message" + (m.bot ? "" : " mine") + (m.keyboard && m.keyboard.length ? " keys" : ""));
  const b = make("div", "bubble");
  const answered = m.reply_to && c.messages.find((o) => o.id === m.reply_to);
  if (answered) {
    const r = make("div", "reply", answered.text.split("\n")[0]);
    r.dir = "auto";
    b.append(r);
  }
  if (m.file) b.append(file(m.file));
  if (m.text) {
    const body = make("div", "body");
    body.dir = "auto";
    body.append(rich(m.text, m.entities));
    b.append(body);
  }
  const time = new Date(m.time * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const meta = make("div", "meta");
  if (m.edited) meta.append(make("span", "", "edited"));
  meta.append(make("span", "", time));
  b.append(meta);
  row.append(b);
  if (m.keyboard && m.keyboard.length) row.append(keyboard(c, m));
  return row;
}

function file(f) {
  const a = make("a", "file");
  a.href = "/sim/file/" + encodeURIComponent(f.id);
  a.download = f.name;
  const words = make("div", "", f.name);
  words.append(make("small", "", f.size + " bytes"));
  a.append(make("span", "icon", "📄"), words);
  return a;
}

function keyboard(c, m) {
  const box = make("div", "keyboard");
  if ((c.waiting || []).includes(m.id)) box.classList.add("busy");
  for (const keys of m.keyboard) {
    const row = make("div", "row");
    for (const k of keys) {
      const b = make("button", "", k.text);
      b.type = "button";
      b.dir = "auto";
      b.addEventListener("click", () => {
        if (k.copy_text) return copy(k.copy_text.text);
        if (k.callback_data) {
          box.classList.add("busy");
          post("/sim/tap", { chat: c.id, user: c.user, message: m.id, data: k.callback_data });
        }
      });
      row.append(b);
    }
    box.append(row);
  }
  return box;
}

function send(text) {
  const c = chat();
  if (c && text.trim()) post("/sim/send", { chat: c.id, user: c.user, text });
}

$("composer").addEventListener("submit", (e) => {
  e.preventDefault();
  send($("text").value);
  $("text").value = "";
});
$("start").firstElementChild.addEventListener("click", () => send("/start"));
$("language").addEventListener("change", () => post("/sim/language", { user: chat().user, language: $("language").value }));
$("menu").addEventListener("click", () => {
  const open = $("commands").hidden;
  $("commands").replaceChildren(...(chat().commands || []).map((c) => {
    const b = make("button");
    b.type = "button";
    const d = make("span", "", c.description);
    d.dir = "auto";
    b.append(make("b", "", "/" + c.command), d);
    b.addEventListener("click", () => { showCommands(false); send("/" + c.command); });
    return b;
  }));
  showCommands(open);
});
document.addEventListener("keydown", (e) => { if (e.key === "Escape") showCommands(false); });

function showCommands(open) {
  $("commands").hidden = !open;
  $("menu").setAttribute("aria-expanded", String(open));
}

const events = new EventSource("/sim/events");
events.onmessage = (e) => { state = JSON.parse(e.data); draw(); };
