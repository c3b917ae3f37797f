// One message: its bubble, with what is in it, and the keyboard under it.

import { button, icon, iconButton, initials, make, named } from "./kit.js";
import { played, player } from "./play.js";

// rich draws a text with its entities, which nest and count in UTF-16 units as JavaScript does.
function rich(text, entities, door) {
  const root = document.createDocumentFragment();
  const all = [...(entities || [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  let i = 0;
  const fill = (parent, from, to) => {
    while (i < all.length && all[i].offset < to) {
      const e = all[i++];
      if (e.offset > from) parent.append(text.slice(from, e.offset));
      const end = Math.min(e.offset + e.length, to);
      const node = element(e, text.slice(e.offset, end), door);
      parent.append(node);
      fill(node, e.offset, end);
      from = end;
    }
    if (from < to) parent.append(text.slice(from, to));
  };
  fill(root, 0, text.length);
  return root;
}

const tags = { bold: "b", italic: "i", underline: "u", strikethrough: "s", code: "code", pre: "pre", blockquote: "blockquote", expandable_blockquote: "blockquote" };

// element is the node of an entity, empty.
function element(e, text, door) {
  switch (e.type) {
    case "text_link":
    case "url":
      return link(e.url || text);
    case "code":
    case "pre":
      return pressable(make(tags[e.type], "copies"), `${door.word("tap_to_copy")}: ${text}`, () => door.copied(text));
    case "spoiler": {
      const hidden = make("span", "spoiler");
      return pressable(hidden, door.word("hidden"), () => {
        hidden.classList.add("open");
        hidden.removeAttribute("role");
        hidden.removeAttribute("aria-label");
        hidden.removeAttribute("title");
      });
    }
    case "bot_command":
      return pressable(make("span", "link"), text, () => door.say(text));
    case "mention":
    case "text_mention":
    case "hashtag":
    case "email":
      return make("span", "link");
  }
  return make(tags[e.type] || "span");
}

// link is an anchor that leaves the page; anything but the web leads nowhere.
function link(url) {
  if (!/^https?:\/\//i.test(url)) return make("span", "link");
  const a = make("a", "link");
  Object.assign(a, { href: url, target: "_blank", rel: "noopener noreferrer", title: url });
  return a;
}

// pressable makes something other than a button act like one, for the mouse and the keyboard.
function pressable(e, label, act) {
  e.tabIndex = 0;
  e.setAttribute("role", "button");
  named(e, label);
  e.addEventListener("click", act);
  e.addEventListener("keydown", (k) => {
    if (k.key !== "Enter" && k.key !== " ") return;
    k.preventDefault();
    act();
  });
  return e;
}

// notice is a line that nobody wrote.
function notice(text) {
  const n = make("div", "notice");
  n.append(make("span", "", text));
  return n;
}

// eventText says in words what a service message tells.
function eventText(e, door) {
  const keys = { created: "created", added: "added", removed: "removed", left: "left_group", migrated: "migrated", shared: "shared", shared_chat: "shared_chat", topic_begun: "topic_begun", topic_closed: "topic_closed", topic_reopened: "topic_reopened" };
  return keys[e.kind] ? door.word(keys[e.kind], { by: e.by, whom: e.whom }) : e.text;
}

// row draws a message for whoever holds the phone. place says how it stands among the others.
export function row(m, door, place) {
  const r = make("div", "row");
  r.dataset.message = m.id;
  if (m.deleted) r.append(notice(door.word("deleted", { who: m.name })));
  else if (m.event) r.append(notice(eventText(m.event, door)));
  else drawn(r, m, door, place);
  return r;
}

function drawn(r, m, door, place) {
  r.classList.add(place.mine ? "mine" : "theirs");
  if (place.follows) r.classList.add("follows");
  if (place.face) r.append(face(m, place));
  const column = make("div", "said");
  const b = make("div", "bubble" + (m.photo && !m.text && !place.album?.length ? " bare" : ""));
  if (place.author) {
    const name = make("bdi", "author hue" + (m.from % 6), m.name);
    b.append(name);
  }
  if (m.forwarded) {
    const from = make("div", "forwarded", door.word("forwarded", { who: m.forwarded }));
    b.append(from);
  }
  if (place.answered) b.append(quoted(place.answered, door));
  const album = place.album || [];
  const photos = [m, ...album].filter((one) => one.photo);
  if (photos.length > 1) {
    const grid = make("div", "album");
    grid.append(...photos.map((one) => photo(one.photo, one.spoiler, door)));
    b.append(grid);
  } else if (m.photo) b.append(photo(m.photo, m.spoiler, door));
  for (const one of [m, ...album]) if (one.file) b.append(file(one.file, door));
  b.append(...played(m, door));
  const body = make("div", "body");
  const said = m.text ? m : album.find((one) => one.text) || m; // of an album any message may have the caption
  body.dir = lastDirection(said.text || "", door.root.dir);
  if (said.text) body.append(rich(said.text, said.entities, door));
  body.append(meta(m, door, place));
  b.append(body);
  const reactions = Object.entries(m.reactions || {});
  if (reactions.length) {
    const line = make("div", "reactions");
    line.append(...reactions.map(([emoji, n]) => make("span", "", n > 1 ? `${emoji} ${n}` : emoji)));
    b.append(line);
  }
  b.append(iconButton("menu", "down", door.word("more"), (e) => door.menu(m, e.currentTarget)));
  b.addEventListener("contextmenu", (e) => {
    if (String(getSelection())) return;
    e.preventDefault();
    door.menu(m, b);
  });
  column.append(b);
  if (m.keyboard?.length) {
    r.classList.add("keyed");
    column.append(keyboard(m, door, place));
  }
  r.append(column);
}

// lastDirection is which way the last line of a text runs: that is where the time stands. Each line runs by
// itself, and what stands in an isolate does not count.
function lastDirection(text, otherwise) {
  const plain = text.replace(/[\u2066-\u2068][^\u2066-\u2069]*\u2069/g, "");
  const strong = (line) => line.match(/\p{Script=Arabic}|\p{Script=Hebrew}|\u200f|\p{L}/u)?.[0];
  const first = strong(plain.trimEnd().split("\n").pop()) || strong(plain);
  if (!first) return otherwise;
  return /\p{Script=Arabic}|\p{Script=Hebrew}|\u200f/u.test(first) ? "rtl" : "ltr";
}

function face(m, place) {
  const f = make("span", "face hue" + (m.from % 6), place.follows ? "" : initials(m.name));
  f.setAttribute("aria-hidden", "true");
  if (place.follows) f.classList.add("none");
  if (m.bot && !place.follows) f.replaceChildren(icon("bot"));
  return f;
}

function quoted(answered, door) {
  const q = make("div", "quoted");
  const what = answered.deleted ? door.word("gone") : answered.text?.split("\n")[0] || answered.file?.name || door.word("photo");
  const text = make("span", "", what);
  text.dir = "auto";
  q.append(make("bdi", "", answered.name), text);
  return q;
}

// meta is when a message was sent, and whether it arrived.
function meta(m, door, place) {
  const e = make("span", "meta");
  if (m.edited && !m.keyboard?.length) e.append(make("span", "", door.word("edited")));
  const time = make("time", "", clock(m.time));
  time.dateTime = new Date(m.time * 1000).toISOString();
  e.append(time);
  if (place.mine) {
    const ticks = make("span", "ticks" + (m.unseen ? "" : " seen"));
    ticks.append(icon("check"));
    if (!m.unseen) ticks.append(icon("check"));
    ticks.setAttribute("role", "img");
    named(ticks, door.word(m.unseen ? "sent" : "seen"));
    e.append(ticks);
  }
  return e;
}

// clock is a time of the day, in digits that all three languages write alike. The phones are where the bot's shop is, or
// page and bot would show two clocks.
export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Africa/Algiers" });
}

const address = (id) => "sim/file/" + encodeURIComponent(id);

function photo(p, spoiler, door) {
  const b = button("photo", undefined, () => {
    if (!b.classList.contains("veiled")) return door.view({ photo: p, url: address(p.id) });
    b.classList.remove("veiled");
    named(b, door.word("photo"));
  }, door.word(spoiler ? "hidden" : "photo"));
  if (spoiler) b.classList.add("veiled");
  const img = make("img");
  Object.assign(img, { src: address(p.id), alt: "", width: p.width, height: p.height });
  b.append(img);
  return b;
}

function file(f, door) {
  if (f.plays) return player(f, address(f.id), door);
  const box = make("div", "file");
  const words = make("div", "words");
  const name = make("b", "", f.name);
  name.dir = "auto";
  name.title = f.name;
  const size = make("small", "", f.size < 1024 ? door.word("bytes", { n: f.size }) : door.word("kilobytes", { n: Math.round(f.size / 1024) }));
  words.append(name, size);
  const sign = make("span", "sign");
  sign.append(icon("file"));
  const doors = make("div", "doors");
  const save = make("a", "", door.word("save"));
  Object.assign(save, { href: address(f.id), download: f.name });
  doors.append(button("", door.word("open"), () => door.view({ file: f, url: address(f.id) })), save);
  box.append(sign, words, doors);
  return box;
}

// keyboard is the inline keyboard. Telegram does not mirror it where writing runs from the right.
function keyboard(m, door, place) {
  const box = make("div", "keyboard");
  for (const keys of m.keyboard) {
    const line = make("div", "keys");
    for (const k of keys) {
      const b = button("key " + (k.style || ""), undefined, () => pressed(k, m, door, b));
      const text = make("span", "", k.text);
      text.dir = "auto";
      b.append(text);
      if (k.copy_text) b.append(icon("copy"));
      else if (k.url || k.web_app) b.append(icon("link"));
      if (place.waiting?.includes(k.callback_data)) busy(b);
      line.append(b);
    }
    box.append(line);
  }
  return box;
}

function busy(b) {
  b.classList.add("busy");
  b.setAttribute("aria-busy", "true");
}

function pressed(k, m, door, b) {
  if (k.copy_text) return void door.copied(k.copy_text.text);
  if (k.url && /^https?:\/\//i.test(k.url)) return void window.open(k.url, "_blank", "noopener,noreferrer");
  if (k.pay) return void door.ask("pay", { message: m.id });
  const inline = k.switch_inline_query_current_chat ?? k.switch_inline_query;
  if (inline !== undefined) return door.compose(`@${door.page.bot()} ${inline}`), door.typedText();
  if (!k.callback_data) return void door.toast(door.word("not_here"));
  busy(b);
  door.tap(m.id, k.callback_data);
}

