"use strict";
// The chat page. Everything that the bot or a person wrote is put in as text, never as markup.

const $ = (id) => document.getElementById(id);
let state = { bot: "", hints: [], chats: [] };
let current = Number(location.hash.slice(1)) || null; // id of the chat on screen
let awaited = null; // chats that were there when a group was made: the one that is not among them is it
const speakers = {}; // by chat: who is at the keyboard
const seenToast = {}; // by chat and person: the last answer to a tap that was shown
let drawn = ""; // what the messages were drawn from

// make builds an element with text and children.
function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function button(className, text, act) {
  const b = make("button", className, text);
  b.type = "button";
  b.addEventListener("click", act);
  return b;
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
const isGroup = (c) => c.kind !== "private";
const people = (c) => c.members.filter((m) => !m.bot);

// speaker is who is at the keyboard of a chat; in a group somebody who is there, if anybody is.
function speaker(c) {
  return people(c).find((m) => m.id === speakers[c.id]) || people(c).find((m) => m.writes) || people(c)[0];
}

// ask has the speaker do something in the chat on screen.
function ask(path, more) {
  const c = chat();
  return post("/sim/" + path, { chat: c.id, user: speaker(c).id, ...more });
}

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

// link is an anchor that leaves the page; anything but the web leads nowhere.
function link(e, url) {
  if (!/^https?:\/\//i.test(url)) return make("span", "link");
  const a = make("a", "link");
  Object.assign(a, { href: url, target: "_blank", rel: "noopener noreferrer" });
  return a;
}

// element is the node of an entity, empty.
function element(e, text) {
  if (e.type === "text_link" || e.type === "url") return link(e, e.url || text);
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
  if (e.type === "bot_command") {
    node.className = "link";
    node.addEventListener("click", () => send(text));
  }
  if (e.type === "mention" || e.type === "text_mention" || e.type === "hashtag") node.className = "link";
  return node;
}

function draw() {
  if (!state.chats.length) return;
  if (awaited) {
    const made = state.chats.find((c) => !awaited.has(c.id));
    if (made) [current, awaited] = [made.id, null];
  }
  if (!chat()) current = state.chats[0].id;
  document.title = "@" + state.bot + " · sandbox";
  drawPeople();
  drawHints();
  drawHeader(chat());
  drawChat(chat());
  if (!$("actions").hidden) drawActions();
}

function goTo(id) {
  current = id;
  drawn = "";
  show("commands", false);
  show("actions", false);
  draw();
}

function drawPeople() {
  const row = state.chats.filter((c) => !(c.gone && isGroup(c))).map((c) => {
    const b = button("", undefined, () => goTo(c.id));
    b.setAttribute("aria-current", String(c.id === current));
    b.append(make("span", "face", isGroup(c) ? "👥" : [...c.title][0]), make("span", "name", c.title));
    return b;
  });
  const add = button("add", undefined, newGroup);
  add.append(make("span", "face", "+"), make("span", "name", "New group"));
  $("people").replaceChildren(...row, add);
}

function hint(h) {
  const box = make("div", "hint");
  const words = make("div");
  words.append(make("small", "", h.Label), make("code", "", h.Value));
  box.append(words, button("", "Copy", () => copy(h.Value)));
  return box;
}

function drawHints() {
  if ($("panel").childElementCount) return;
  $("panel").append(make("h1", "", "Sandbox"),
    make("p", "", "A simulated Telegram on the left, a simulated reseller service behind the bot. Press Start, link the key below, and buy something. Nothing here costs money."),
    ...(state.hints || []).map(hint));
  $("hintbar").append(...(state.hints || []).map(hint));
}

// options fills a select, and leaves it alone while nothing changes: an open one would close.
function options(select, list, value) {
  const now = JSON.stringify(list);
  if (select.dataset.list !== now) {
    select.dataset.list = now;
    select.replaceChildren(...list.map(([v, text]) => { const o = make("option", "", text); o.value = v; return o; }));
  }
  select.value = value;
}

const roleNames = { creator: "owner", administrator: "administrator", member: "member", restricted: "may not write", left: "not a member", kicked: "removed" };

function drawHeader(c) {
  const me = speaker(c);
  const group = isGroup(c);
  const there = c.members.filter((m) => m.role !== "left" && m.role !== "kicked");
  const bot = c.members.find((m) => m.bot);
  $("avatar").textContent = group ? "👥" : "🛍";
  $("title").textContent = group ? c.title : "@" + state.bot;
  $("subtitle").textContent = group ? `${c.kind} · ${there.length} members · bot: ${roleNames[bot.role]}` : "bot · sandbox";
  $("language").hidden = group;
  $("language").value = me.language;
  $("speaker").hidden = !group;
  if (group) options($("speaker"), people(c).filter((m) => m.writes || m === me).map((m) => [String(m.id), m.name]), String(me.id));
  document.querySelector("main").dir = me.language === "ar" ? "rtl" : "ltr";
}

function drawChat(c) {
  const me = speaker(c);
  const fresh = !isGroup(c) && !c.messages.length;
  $("start").hidden = !(fresh || c.blocked) || c.gone;
  $("start").firstElementChild.textContent = c.blocked ? "Unblock and start" : "Start";
  $("composer").hidden = fresh || !me.writes;
  const now = JSON.stringify([current, me.id, c.messages, c.waiting]);
  if (now !== drawn) {
    drawn = now;
    const box = $("messages");
    box.replaceChildren(...c.messages.map((m) => bubble(c, m)));
    if (c.gone) box.append(make("div", "notice", "This account was deleted"));
    box.scrollTop = box.scrollHeight;
  }
  drawToast(c, me);
}

function drawToast(c, me) {
  const key = c.id + " " + me.id;
  const t = (c.toasts || []).find((t) => t.user === me.id);
  const old = t && !(key in seenToast); // it was answered before this chat came on screen
  if (!t || old || seenToast[key] === t.id) {
    seenToast[key] = t ? t.id : seenToast[key] || "";
    return;
  }
  seenToast[key] = t.id;
  if (t.alert) {
    $("alert").firstElementChild.textContent = t.text;
    $("alert").showModal();
  } else {
    toast(t.text);
  }
}

function bubble(c, m) {
  if (m.deleted || m.notice) {
    const n = make("div", "notice", m.deleted ? `\u2068${m.name}\u2069: message deleted` : m.notice); // the name has a direction of its own
    n.dir = "ltr";
    return n;
  }
  const mine = m.from === speaker(c).id;
  const row = make("div", "message" + (mine ? " mine" : "") + (m.keyboard && m.keyboard.length ? " keys" : ""));
  const b = make("div", "bubble");
  if (isGroup(c) && !mine) {
    const name = make("div", "author author" + (m.from % 5), m.name);
    name.dir = "auto";
    b.append(name);
  }
  const answered = m.reply_to && c.messages.find((o) => o.id === m.reply_to);
  if (answered) {
    const r = make("div", "reply", answered.deleted ? "Deleted message" : answered.text.split("\n")[0] || "…");
    r.dir = "auto";
    b.append(r);
  }
  if (m.photo) b.append(photo(m.photo));
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

function photo(p) {
  const a = make("a", "photo");
  Object.assign(a, { href: "/sim/file/" + encodeURIComponent(p.id), target: "_blank" });
  const img = make("img");
  Object.assign(img, { src: a.href, alt: "Photo", width: p.width, height: p.height });
  a.append(img);
  return a;
}

function file(f) {
  const a = make("a", "file");
  a.href = "/sim/file/" + encodeURIComponent(f.id);
  a.download = f.name;
  const words = make("div", "", f.name);
  words.dir = "auto";
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
      const b = button(k.style || "", k.text, () => {
        if (k.copy_text) return copy(k.copy_text.text);
        if (k.url) return window.open(k.url, "_blank", "noopener,noreferrer");
        if (k.callback_data) {
          box.classList.add("busy");
          ask("tap", { message: m.id, data: k.callback_data });
        }
      });
      b.dir = "auto";
      row.append(b);
    }
    box.append(row);
  }
  return box;
}

function send(text) {
  if (chat() && text.trim()) ask("send", { text });
}

// drawActions lists what people can do with the chat itself.
function drawActions() {
  const c = chat();
  const rows = [];
  if (!isGroup(c) && !c.gone) {
    rows.push(button("", c.blocked ? "Unblock the bot" : "Block the bot", () => { ask(c.blocked ? "unblock" : "block"); show("actions", false); }));
  }
  if (isGroup(c)) {
    rows.push(...c.members.map((m) => memberRow(c, m)));
    if (c.kind === "group") rows.push(button("", "Make it a supergroup", upgrade));
  }
  const now = JSON.stringify([current, c.members.map((m) => [m.id, m.role]), c.blocked, c.kind, c.gone]);
  if ($("actions").dataset.drawn === now) return;
  $("actions").dataset.drawn = now;
  $("actions").replaceChildren(...rows);
}

// upgrade has the group become a supergroup, which is another chat.
function upgrade() {
  awaited = new Set(state.chats.map((c) => c.id));
  ask("migrate");
  show("actions", false);
}

function memberRow(c, m) {
  const row = make("label", "member");
  const name = make("span", "", m.name);
  name.dir = "auto";
  const select = make("select");
  const offered = m.role === "creator" ? ["creator"] : ["administrator", "member", ...(c.kind === "supergroup" ? ["restricted"] : []), "left", "kicked"];
  options(select, offered.map((r) => [r, roleNames[r]]), m.role);
  select.disabled = m.role === "creator";
  select.addEventListener("change", () => ask("role", { member: m.id, role: select.value }));
  row.append(name, select);
  return row;
}

function newGroup() {
  show("actions", false);
  $("groupname").value = "";
  $("groupmembers").replaceChildren(...state.chats.filter((c) => !isGroup(c) && !c.gone).map((c) => {
    const row = make("label");
    const box = make("input");
    Object.assign(box, { type: "checkbox", value: String(c.id), checked: true });
    const name = make("span", "", c.title);
    name.dir = "auto";
    row.append(box, name);
    return row;
  }));
  $("newgroup").returnValue = "";
  $("newgroup").showModal();
}

$("newgroup").addEventListener("close", () => {
  const text = $("groupname").value.trim();
  const [user, ...members] = [...$("groupmembers").querySelectorAll("input:checked")].map((i) => Number(i.value));
  if ($("newgroup").returnValue !== "create" || !text || !user) return;
  awaited = new Set(state.chats.map((c) => c.id));
  post("/sim/group", { user, text, members });
});
$("composer").addEventListener("submit", (e) => {
  e.preventDefault();
  send($("text").value);
  $("text").value = "";
});
$("start").firstElementChild.addEventListener("click", async () => {
  if (chat().blocked) await ask("unblock");
  send("/start");
});
$("language").addEventListener("change", () => ask("language", { language: $("language").value }));
$("speaker").addEventListener("change", () => { speakers[current] = Number($("speaker").value); draw(); });
$("menu").addEventListener("click", () => {
  $("commands").replaceChildren(...(speaker(chat()).commands || []).map((c) => {
    const b = button("", undefined, () => { show("commands", false); send("/" + c.command); });
    const d = make("span", "", c.description);
    d.dir = "auto";
    b.append(make("b", "", "/" + c.command), d);
    return b;
  }));
  show("commands", $("commands").hidden);
});
$("more").addEventListener("click", () => {
  drawActions();
  show("actions", $("actions").hidden);
});
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  show("commands", false);
  show("actions", false);
});

// show opens or closes a popup.
function show(id, visible) {
  $(id).hidden = !visible;
  $(id === "commands" ? "menu" : "more").setAttribute("aria-expanded", String(visible));
}

const events = new EventSource("/sim/events");
events.onmessage = (e) => { state = JSON.parse(e.data); draw(); };
