// The chat page: people side by side, each with a phone. On a narrow screen there is one at a time.
// Everything that a bot or a person wrote is put in as text, never as markup.

import { button, icon, iconButton, initials, make, named, options, post, remembered, setText } from "./kit.js";
import { Phone } from "./phone.js";
import { direction, languages, missing, supported, word } from "./words.js";

const $ = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 859px)");
const chats = new Map();
const phones = new Map(); // by person
let people = [];
let bot = "";
let world = ""; // by which the control interface knows the bot
let active = 0; // whose phone is in use
let language = "";
let awaited = null; // a group that was made, and who is to see it
let offers = []; // for inline queries, by the bot
const listeners = []; // to changes of the language
let answered = Promise.resolve();
const asked = new Map(); // by person: the language that they were asked to speak, until it is told that they do

const page = {
  bot: () => bot,
  world: () => world,
  chats: () => [...chats.values()],
  offers: () => offers,
  view, act, door,
  newGroup, newContact, newTopic, choose,
};

// door is where the control interface has a person do something.
function door(person, verb) { return "/control/v1/people/" + person + "/" + verb; }

// act has a person do something, and returns why it had no effect, "" if it had.
function act(person, verb, more) { return post(door(person, verb), { bot: world, ...more }); }

const say = (key, values) => word(language, key, values);

// haveSpeak has somebody speak a language, once what was asked before is answered: a request that overtakes another would lose to it.
function haveSpeak(person, language) {
  asked.set(person.id, language);
  answered = answered.catch(() => {}).then(() => act(person.id, "language", { language }));
}

// speak changes the language of the page, and, where somebody has chosen it, of those who have spoken it with the page: who
// speaks another one goes on doing so.
function speak(code, chosen) {
  const before = language;
  language = supported(code);
  document.documentElement.lang = language;
  document.documentElement.dir = direction(language);
  if (chosen) {
    remembered.set("language", language);
    for (const p of people) if (supported(asked.get(p.id) || p.language) === before) haveSpeak(p, language);
  }
  setText($("title"), say("sandbox"));
  setText($("skip"), say("skip"));
  $("people").setAttribute("aria-label", say("people"));
  $("beside").setAttribute("aria-label", say("panel"));
  drawLanguages();
  named($("other"), say("panel"));
  drawTheme();
  drawPeople();
  for (const listen of listeners) listen(language);
}

// drawLanguages names the languages, shortly where there is little room.
function drawLanguages() {
  $("language").setAttribute("aria-label", say("language"));
  options($("language"), narrow.matches ? languages.map(([code]) => [code, code.toUpperCase()]) : languages, language);
}

narrow.addEventListener("change", drawLanguages);

// Appearance: as the system has it, or one of the two.
const themes = ["auto", "light", "dark"];
let theme = themes.includes(remembered.get("theme")) ? remembered.get("theme") : "auto";

function drawTheme() {
  document.documentElement.dataset.theme = theme;
  $("theme").replaceChildren(icon(theme));
  named($("theme"), `${say("theme")}: ${say("theme_" + theme)}`);
}

function drawPeople() {
  const now = JSON.stringify([language, active, people]);
  if ($("people").dataset.drawn === now) return;
  $("people").dataset.drawn = now;
  const focused = $("people").contains(document.activeElement);
  $("people").replaceChildren(...people.map((p) => {
    const b = button("person", undefined, () => show(p.id, true));
    b.setAttribute("aria-pressed", String(p.id === active));
    const face = make("span", "face hue" + (p.id % 6), initials(p.name));
    face.setAttribute("aria-hidden", "true");
    const who = make("span", "who");
    who.append(make("bdi", "", p.name));
    if (p.part) who.append(make("small", "", say("part_" + p.part)));
    b.append(face, who);
    return b;
  }));
  if (focused) $("people").querySelector("[aria-pressed=true]")?.focus();
}

// show brings a person's phone into sight.
function show(id, moves) {
  active = id;
  document.body.dataset.view = "phones";
  for (const [user, phone] of phones) {
    phone.root.classList.toggle("active", user === id);
    phone.log.setAttribute("aria-live", user === id ? "polite" : "off");
  }
  $("other").setAttribute("aria-pressed", "false");
  drawPeople();
  const phone = phones.get(id);
  if (narrow.matches) phone?.toEnd(); // it was not on the screen
  else if (moves) phone?.root.scrollIntoView({ behavior: "smooth", inline: "nearest", block: "nearest" });
}

// told takes in what has changed.
function told(news) {
  bot = news.bot;
  world = String(news.number);
  people = news.people;
  offers = news.offers || [];
  for (const c of news.chats) chats.set(c.id, c);
  if (!language) begin();
  for (const p of people) {
    if (asked.get(p.id) === p.language) asked.delete(p.id);
    if (!phones.has(p.id)) {
      const phone = new Phone(p, page);
      phone.root.addEventListener("focusin", () => { if (active !== p.id) show(p.id); });
      phones.set(p.id, phone);
      $("phones").append(phone.root);
    }
    phones.get(p.id).draw(p);
  }
  if (!phones.has(active)) show(people[0]?.id || 0);
  arrive();
  drawPeople();
  document.title = `@${bot} · ${say("sandbox")}`;
  if (news.beside) beside(news.beside);
}

// begin chooses the language: the one that was chosen before, or the browser's. Whoever is first speaks it,
// too, where nothing was said yet.
function begin() {
  const wanted = [remembered.get("language"), ...navigator.languages].find((l) => l && supported(l) === l.toLowerCase().split("-")[0]);
  const first = people[0];
  const fresh = first && !chats.get(first.id)?.messages.length;
  speak(fresh || !first ? wanted || "en" : first.language);
  if (fresh && supported(first.language) !== language) haveSpeak(first, language);
}

// arrive opens a group that was made here, once it is there.
function arrive() {
  if (!awaited) return;
  const made = [...chats.values()].find((c) => !awaited.before.has(c.id));
  if (!made) return;
  awaited.phone.goTo(made.id);
  awaited = null;
}

// beside loads, once, what stands beside the chats.
let besideFrom = "";
async function beside(from) {
  if (besideFrom) return;
  besideFrom = from;
  const { mount } = await import(from);
  mount({
    panel: $("beside"), strip: $("strip"),
    language: () => language,
    onLanguage: (listen) => listeners.push(listen),
    phone: () => phones.get(active),
    first: () => phones.get(people[0].id),
    show,
  });
  document.body.classList.add("sided");
  $("other").hidden = false;
}

// view shows something over everything else: a file, a photo, or the answer to a tap that wants to be read.
async function view({ photo, file, url, alert, phone }) {
  const d = $("viewer");
  const words = (key) => phone.word(key);
  d.dir = phone.root.dir;
  d.lang = phone.root.lang;
  d.className = alert ? "alert" : photo ? "pictured" : "read";
  const close = button("main", words(alert ? "ok" : "close"), () => d.close());
  if (alert) {
    const p = make("p", "", alert);
    p.dir = "auto";
    d.setAttribute("aria-label", alert);
    d.replaceChildren(p, close);
    return d.showModal();
  }
  const save = make("a", "button", words("save"));
  Object.assign(save, { href: url, download: file?.name || "photo.png" });
  const doors = make("div", "doors");
  doors.append(save, close);
  const title = make("h2", "", file?.name || words("photo"));
  title.dir = "auto";
  d.setAttribute("aria-label", title.textContent);
  let content;
  if (photo) {
    content = make("img");
    Object.assign(content, { src: url, alt: words("photo"), width: photo.width, height: photo.height });
  } else {
    content = make("pre");
    content.tabIndex = 0;
    content.dir = "auto";
    content.textContent = await readable(url, words);
  }
  d.replaceChildren(title, content, doors);
  d.showModal();
}

// readable is a file as text, if it is one.
async function readable(url, words) {
  try {
    const bytes = await (await fetch(url)).arrayBuffer();
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!/[\u0000-\u0008\u000e-\u001f]/.test(text)) return text;
  } catch { /* then it is no text */ }
  return words("no_text");
}

// choose has the person on a phone choose somebody, or a group, whichever a key asks for. The bot is told of it.
function choose(phone, key) {
  const d = $("viewer");
  d.dir = phone.root.dir;
  d.lang = phone.root.lang;
  d.className = "form";
  d.setAttribute("aria-label", key.text);
  const whom = key.asks === "request_chat"
    ? phone.chats().filter((c) => c.id < 0).map((c) => ({ id: c.id, name: c.title }))
    : people.filter((p) => !p.gone && p.id !== phone.person.id);
  const all = whom.map((p) => {
    const b = button("button", undefined, () => {
      d.close();
      phone.ask("share", { text: key.text, members: [p.id] });
    });
    b.append(make("bdi", "", p.name));
    return b;
  });
  const title = make("h2", "", key.text);
  title.dir = "auto";
  d.replaceChildren(title, ...all, button("quiet", phone.word("cancel"), () => d.close()));
  d.showModal();
}

// form shows the person on a phone a form with what is in it, and does something once it is sent.
function form(phone, title, parts, end, done) {
  const d = $("viewer");
  d.dir = phone.root.dir;
  d.lang = phone.root.lang;
  d.className = "form";
  d.setAttribute("aria-label", title);
  const sheet = make("form");
  sheet.method = "dialog";
  sheet.addEventListener("submit", done);
  const doors = make("div", "doors");
  doors.append(button("quiet", phone.word("cancel"), () => d.close()), make("button", "main", end));
  sheet.append(make("h2", "", title), ...parts, doors);
  d.replaceChildren(sheet);
  d.showModal();
}

// input is a line to be filled in.
function input(label, more) {
  const line = make("input");
  Object.assign(line, { type: "text", placeholder: label, dir: "auto", maxLength: 128, required: true, ...more });
  line.setAttribute("aria-label", label);
  return line;
}

// newContact asks whom, of the people or of the telephone book, a contact is to be of.
function newContact(phone) {
  const others = people.filter((p) => !p.gone && p.id !== phone.person.id);
  const name = input(phone.word("name")), number = input(phone.word("number"), { type: "tel", maxLength: 32 });
  const whom = make("select");
  whom.setAttribute("aria-label", phone.word("contact"));
  options(whom, [["", phone.word("book")], ...others.map((p) => [String(p.id), p.name])], "");
  whom.addEventListener("change", () => {
    for (const line of [name, number]) line.hidden = line.disabled = Boolean(whom.value);
  });
  const parts = [whom, name, number];
  const passed = make("input");
  Object.assign(passed, { type: "checkbox" });
  if (others.length) {
    const label = make("label");
    label.append(passed, make("span", "", phone.word("forwarded", { who: others[0].name })));
    parts.push(label);
  }
  form(phone, phone.word("contact"), parts, phone.word("send"), () => phone.contact({
    ...(whom.value ? { member: Number(whom.value) } : { name: name.value.trim(), phone: number.value.trim() }), from: passed.checked ? others[0].id : 0,
  }));
}

// newTopic asks for the name of a topic.
function newTopic(phone) {
  const name = input(phone.word("name"));
  form(phone, phone.word("new_topic"), [name], phone.word("create"), () => phone.ask("topic", { text: name.value.trim() }));
}

// newGroup asks for a name and members.
function newGroup(phone) {
  const name = input(phone.word("name"));
  const boxes = people.filter((p) => !p.gone && p.id !== phone.person.id).map((p) => {
    const label = make("label");
    const box = make("input");
    Object.assign(box, { type: "checkbox", value: String(p.id), checked: p.part !== "stranger" });
    label.append(box, make("bdi", "", p.name));
    return label;
  });
  form(phone, phone.word("new_group"), [name, ...boxes, make("p", "", phone.word("with_bot"))], phone.word("create"), () => {
    const members = boxes.map((l) => l.firstChild).filter((b) => b.checked).map((b) => Number(b.value));
    awaited = { phone, before: new Set(chats.keys()) };
    act(phone.person.id, "group", { text: name.value.trim(), members });
  });
}

$("viewer").addEventListener("click", (e) => { if (e.target === $("viewer")) $("viewer").close(); });
$("language").addEventListener("change", () => speak($("language").value, true));
$("theme").addEventListener("click", () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  remembered.set("theme", theme);
  drawTheme();
});
$("other").append(icon("panel"));
$("other").addEventListener("click", () => {
  const there = document.body.dataset.view === "panel";
  document.body.dataset.view = there ? "phones" : "panel";
  $("other").setAttribute("aria-pressed", String(!there));
  if (there) phones.get(active)?.toEnd();
});
$("skip").addEventListener("click", (e) => {
  e.preventDefault();
  const phone = phones.get(active);
  (phone.foot.hidden ? phone.start.querySelector("button") : phone.text)?.focus();
});

const events = new EventSource("sim/events");
events.onmessage = (e) => {
  $("lost").hidden = true;
  told(JSON.parse(e.data));
};
events.onerror = () => {
  if (language) setText($("lost"), say("lost"));
  $("lost").hidden = !language;
};

// For the tests of the page.
window.sandbox = { missing, phones };
