// A person's phone: the chats that are on it, one at a time, with everything to write with.

import { button, copy, icon, iconButton, initials, make, named, options, setText } from "./kit.js";
import { row } from "./message.js";
import { direction, languages, supported, word } from "./words.js";

const isGroup = (c) => c.kind !== "private";
const nearEnd = 90; // pixels from the end of the messages that still count as being there

export class Phone {
  // page is what the phone knows of the rest: bot(), chats(), people(), view(what), newGroup(phone), newContact(phone), newTopic(phone), choose(phone, key).
  constructor(person, page) {
    this.page = page;
    this.person = person;
    this.current = person.id; // the chat on screen
    this.thread = 0; // the topic of it, where it has some; 0 for the general one
    this.drawn = new Map(); // rows by message id, with what each was drawn from
    this.drafts = new Map(); // by chat
    this.toasted = {}; // by chat: the last answer to a tap that was shown
    this.tapped = null; // a tap that is on its way to the server
    this.build();
  }

  word(key, values) { return word(supported(this.person.language), key, values); }

  chats() { return this.page.chats().filter((c) => (isGroup(c) ? !c.gone && this.me(c)?.role !== "left" && this.me(c)?.role !== "kicked" : c.id === this.person.id)); }

  chat() { return this.page.chats().find((c) => c.id === this.current); }

  me(c) { return c.members.find((m) => m.id === this.person.id); }

  // ask has the person do something in the chat on screen.
  ask(verb, more) { return this.page.act(this.person.id, verb, { chat: this.current, ...more }); }

  // build makes what stays: the rest is filled in by draw.
  build() {
    this.root = make("section", "phone");
    this.root.dataset.user = this.person.id;
    this.owner = make("div", "owner");
    this.screen = make("div", "screen");
    this.root.append(this.owner, this.screen);
    this.buildOwner();
    this.bar = make("header", "bar");
    this.tabs = make("div", "tabs");
    this.topics = make("div", "tabs topics");
    this.log = make("div", "log");
    this.log.setAttribute("role", "log");
    this.log.tabIndex = 0;
    this.log.addEventListener("scroll", () => this.scrolled());
    // What slides in takes room: the newest message stays in sight.
    new ResizeObserver(() => { if (this.ended) this.toEnd(); }).observe(this.log);
    this.newest = iconButton("newest", "down", "", () => this.toEnd(true));
    this.newest.hidden = true;
    this.start = make("div", "start");
    this.popup = make("div", "popup");
    this.popup.hidden = true;
    this.bubble = make("div", "toast");
    this.bubble.dir = "auto"; // it is in the language of the chat, and not of the page
    this.bubble.setAttribute("role", "status");
    this.bubble.hidden = true;
    this.foot = make("footer", "foot");
    this.buildFoot();
    const middle = make("div", "middle");
    middle.append(this.log, this.newest, this.bubble);
    this.screen.append(this.bar, this.tabs, this.topics, middle, this.start, this.foot, this.popup);
    this.screen.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      if (!this.popup.hidden) this.close(true);
      else if (this.answering) this.answer(null);
    });
    document.addEventListener("pointerdown", (e) => {
      if (!this.popup.hidden && !this.popup.contains(e.target) && !this.opener?.contains(e.target)) this.close();
    });
  }

  buildOwner() {
    this.face = make("span", "face hue" + (this.person.id % 6));
    this.face.setAttribute("aria-hidden", "true");
    this.name = make("bdi", "name");
    this.part = make("span", "part");
    const who = make("div", "who");
    who.append(this.name, this.part);
    this.language = make("select");
    options(this.language, languages, supported(this.person.language));
    this.language.addEventListener("change", () => this.ask("language", { language: this.language.value }));
    this.owner.append(this.face, who, this.language);
  }

  buildFoot() {
    this.context = make("div", "context");
    this.context.hidden = true;
    this.composer = make("form", "composer");
    this.menuButton = iconButton("plain", "menu", "", () => this.toggle("commands", this.menuButton));
    this.attachButton = iconButton("plain", "attach", "", () => this.toggle("attach", this.attachButton));
    this.picker = make("input");
    Object.assign(this.picker, { type: "file", hidden: true });
    this.picker.addEventListener("change", () => this.attach());
    this.text = make("textarea");
    Object.assign(this.text, { rows: 1, maxLength: 4096, dir: "auto", enterKeyHint: "send" });
    this.text.dataset.role = "message";
    this.text.addEventListener("input", () => this.typedText());
    this.text.addEventListener("keydown", (e) => this.typed(e));
    this.keysButton = iconButton("plain", "keys", "", () => { this.keysHidden = !this.keysHidden; this.drawKeys(this.chat()); });
    this.sendButton = iconButton("send", "send", "", null, true);
    this.sendButton.type = "submit";
    this.composer.append(this.menuButton, this.attachButton, this.text, this.keysButton, this.sendButton, this.picker);
    this.composer.addEventListener("submit", (e) => { e.preventDefault(); this.submit(); });
    this.keys = make("div", "replykeys");
    this.foot.append(this.context, this.composer, this.keys);
  }

  // typed sends at Enter; Shift and Enter begins a new line.
  typed(e) {
    if (e.key === "ArrowDown" && !this.popup.hidden) {
      e.preventDefault();
      this.popup.querySelector("button")?.focus();
    }
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    this.composer.requestSubmit();
  }

  // typedText looks at what stands in the message box.
  typedText() {
    this.grow();
    this.suggest();
    this.inquire();
  }

  // inquire asks the bot in passing while its name and something more is typed, once the person pauses.
  inquire() {
    const [name, text] = this.text.value.split(/\s(.*)/s);
    const wanted = name === "@" + this.page.bot() && text !== undefined ? text : null;
    clearTimeout(this.inquiring);
    if (wanted === null) {
      if (this.opened === "results") this.close();
      return;
    }
    this.inquiring = setTimeout(async () => {
      const why = await this.page.act(this.person.id, "inline", { text: wanted });
      if (why) return this.toast(why);
      this.open("results");
    }, 300);
  }

  // resultRows lists what the bot offers for what is typed.
  resultRows() {
    const o = this.page.offers().find((one) => one.user === this.person.id);
    const now = JSON.stringify([o, this.root.lang]);
    if (this.popup.dataset.drawn === now) return null;
    this.popup.dataset.drawn = now;
    if (!o?.results?.length) return [make("p", "soft-text", this.word(o?.results ? "no_results" : "asking"))];
    return o.results.map((r) => {
      const b = button("", undefined, () => {
        this.close();
        this.compose("");
        this.grow();
        this.stick = true;
        this.ask("choose", { query: o.query, result: r.id });
      });
      const title = make("b", "", r.title), more = make("span", "", r.description);
      title.dir = more.dir = "auto";
      b.append(title, more);
      return b;
    });
  }

  grow() {
    if (!this.text.offsetParent) return; // what is not shown has no height
    this.text.style.height = "auto";
    this.text.style.height = Math.min(this.text.scrollHeight, 140) + "px";
  }

  // compose puts a text into the message box, for the person to send.
  compose(text) {
    this.text.value = text;
    this.grow();
    this.text.focus();
    this.text.setSelectionRange(text.length, text.length);
  }

  submit() {
    const text = this.text.value;
    if (!text.trim() || !this.chat() || this.opened === "results") return;
    if (this.answering?.edits) this.ask("edit", { message: this.answering.message.id, text });
    else this.say(text);
    this.text.value = "";
    this.grow();
    this.answer(null);
    this.close();
  }

  // say sends a text.
  say(text) {
    this.stick = true;
    const k = this.chat()?.keyboard;
    if (k?.one_time) this.keysHidden = true;
    return this.ask("say", { text, thread: this.thread, reply_to: this.answering?.message.id || (k?.force ? k.message : 0) });
  }

  // attachRows lists what can be sent besides a text.
  attachRows() {
    if (this.popup.dataset.drawn === "attach") return null;
    this.popup.dataset.drawn = "attach";
    const act = (key, done) => button("", this.word(key), () => { this.close(true); this.stick = true; done(); });
    return [
      act("file", () => this.picker.click()), act("own_number", () => this.contact({ member: this.person.id })), act("contact", () => this.page.newContact(this)),
    ];
  }

  // attempt is ask that tells the person why it had no effect.
  async attempt(verb, more) {
    const why = await this.ask(verb, more);
    if (why) this.toast(why);
    return !why;
  }

  // contact sends an entry of the telephone book.
  contact(entry) { return this.attempt("contact", { thread: this.thread, ...entry }); }

  async attach() {
    const f = this.picker.files[0];
    this.picker.value = "";
    if (!f) return;
    const q = new URLSearchParams({ bot: this.page.world(), chat: this.current, thread: this.thread, name: f.name });
    const r = await fetch(this.page.door(this.person.id, "attach") + "?" + q, { method: "POST", body: f }).catch(() => null);
    if (!r?.ok) this.toast(this.word(r?.status === 413 ? "too_big" : "lost"));
  }

  // answer begins a reply to a message, or a change of it; null ends that.
  answer(message, edits) {
    if (!message && this.answering?.edits) this.compose("");
    this.answering = message ? { message, edits } : null;
    this.context.hidden = !message;
    if (!message) return;
    const words = make("div", "words");
    const said = make("span", "", (message.text || message.file?.name || this.word("photo")).split("\n")[0]);
    said.dir = "auto";
    words.append(make("b", "", edits ? this.word("editing") : this.word("replying", { who: message.name })), said);
    this.context.replaceChildren(words, iconButton("plain", "close", this.word("cancel"), () => { this.answer(null); this.text.focus(); }));
    if (edits) this.compose(message.text);
    this.text.focus();
  }

  tap(message, data) {
    const tapped = this.tapped = { message, data };
    this.stick = this.atEnd();
    this.ask("tap", { message, data, stale: true }).then(() => {
      if (this.tapped !== tapped) return; // another tap is on its way
      this.tapped = null;
      this.draw(this.person); // the answer to it may have been drawn already, with the key still busy
    });
  }

  async copied(text) {
    await copy(text);
    this.toast(this.word("copied"));
  }

  toast(text) {
    this.bubble.textContent = text;
    this.bubble.hidden = false;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => { this.bubble.hidden = true; }, 2600);
  }

  goTo(id) {
    if (id === this.current) return;
    this.drafts.set(this.current, this.text.value);
    this.current = id;
    this.thread = 0;
    this.answer(null);
    this.text.value = this.drafts.get(id) || "";
    this.keysHidden = false;
    this.close();
    this.clear();
    this.draw(this.person);
  }

  clear() {
    this.drawn.clear();
    this.log.replaceChildren();
    this.stick = true;
  }

  // draw shows the person and the chat on screen as they are now.
  draw(person) {
    const language = supported(person.language);
    if (language !== this.root.lang) {
      this.root.lang = language;
      this.root.dir = direction(language);
      this.person = person;
      this.rename();
    }
    this.person = person;
    let c = this.chat();
    if (c?.gone && isGroup(c)) { // it goes on as another chat
      const next = this.page.chats().find((o) => isGroup(o) && !o.gone && o.title === c.title);
      return this.goTo(next ? next.id : this.person.id);
    }
    if (!c || (isGroup(c) && !this.chats().includes(c))) {
      this.current = this.person.id;
      this.clear();
      c = this.chat();
    }
    if (!c) return;
    setText(this.face, initials(person.name));
    setText(this.name, person.name);
    setText(this.part, person.part ? this.word("part_" + person.part) : "");
    this.language.value = language;
    this.drawBar(c);
    this.drawTabs(c);
    this.drawTopics(c);
    this.drawMessages(c);
    this.drawFoot(c);
    this.drawAnswer(c);
    if (!this.popup.hidden && this.opened !== "message") this.fill();
  }

  // rename gives everything its name in another language.
  rename() {
    this.root.setAttribute("aria-label", this.word("phone", { who: this.person.name }));
    this.log.setAttribute("aria-label", this.word("messages", { who: this.person.name }));
    this.language.setAttribute("aria-label", `${this.word("language")}: ${this.person.name}`);
    named(this.newest, this.word("down"));
    named(this.menuButton, this.word("commands"));
    named(this.attachButton, this.word("attach"));
    named(this.keysButton, this.word("keyboard"));
    named(this.sendButton, this.word("send"));
    this.text.setAttribute("aria-label", this.word("message"));
    this.bar.replaceChildren();
    this.answer(null);
    this.close();
    this.clear();
  }

  drawBar(c) {
    if (!this.bar.firstChild) {
      this.avatar = make("span", "face bot");
      this.avatar.setAttribute("aria-hidden", "true");
      this.title = make("b");
      this.title.dir = "auto";
      this.subtitle = make("span");
      const who = make("div", "who");
      who.append(this.title, this.subtitle);
      this.moreButton = iconButton("plain", "more", this.word("more"), () => this.toggle("actions", this.moreButton));
      this.bar.append(this.avatar, who, this.moreButton);
    }
    const group = isGroup(c);
    if (this.avatar.dataset.kind !== c.kind) {
      this.avatar.dataset.kind = c.kind;
      this.avatar.replaceChildren(icon(group ? "group" : "bot"));
    }
    setText(this.title, group ? c.title : this.page.bot());
    const there = c.members.filter((m) => m.role !== "left" && m.role !== "kicked").length;
    const bot = c.members.find((m) => m.bot);
    const quiet = group ? this.word("members", { kind: this.word(c.kind), n: there, role: this.word(bot.role) }) : this.word("bot");
    const typing = c.typing - Date.now();
    clearTimeout(this.typing);
    const state = (busy) => {
      setText(this.subtitle, busy ? this.word("typing") : quiet);
      this.subtitle.classList.toggle("busy", busy);
    };
    state(typing > 0);
    if (typing > 0) this.typing = setTimeout(() => state(false), typing);
  }

  drawTabs(c) {
    const all = this.chats();
    this.tabs.hidden = all.length < 2;
    const now = JSON.stringify([this.root.lang, this.current, all.map((o) => [o.id, o.title])]);
    if (this.tabs.dataset.drawn === now) return;
    this.tabs.dataset.drawn = now;
    const focused = this.tabs.contains(document.activeElement);
    this.tabs.setAttribute("role", "tablist");
    this.tabs.setAttribute("aria-label", this.word("chats", { who: this.person.name }));
    this.tabs.replaceChildren(...all.map((o) => {
      const t = button("tab", undefined, () => this.goTo(o.id));
      t.setAttribute("role", "tab");
      t.setAttribute("aria-selected", String(o.id === c.id));
      t.tabIndex = o.id === c.id ? 0 : -1;
      t.dataset.chat = o.id;
      t.append(icon(isGroup(o) ? "group" : "bot"), make("bdi", "", isGroup(o) ? o.title : this.word("bot_chat")));
      return t;
    }));
    this.tabs.onkeydown = (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const i = all.findIndex((o) => o.id === this.current) + (this.root.dir === "rtl" ? -step : step);
      if (all[i]) this.goTo(all[i].id);
    };
    if (focused) this.tabs.querySelector("[aria-selected=true]")?.focus();
  }

  // topic is the topic on screen, where it is not the general one.
  topic(c) { return (c.topics || []).find((t) => t.thread === this.thread); }

  // drawTopics shows the topics of a forum, one of which is on screen.
  drawTopics(c) {
    if (this.thread && !this.topic(c)) this.goToTopic(0);
    const all = [{ thread: 0, name: this.word("general") }, ...(c.topics || []).filter((t) => t.thread > 1)];
    this.topics.hidden = all.length < 2;
    const now = JSON.stringify([this.current, this.thread, all]);
    if (this.topics.dataset.drawn === now) return;
    this.topics.dataset.drawn = now;
    this.topics.setAttribute("role", "group");
    this.topics.setAttribute("aria-label", this.word("topics"));
    this.topics.replaceChildren(...all.map((t) => {
      const b = button("tab", undefined, () => { this.goToTopic(t.thread); this.draw(this.person); });
      b.setAttribute("aria-pressed", String(t.thread === this.thread));
      b.append(make("bdi", "", (t.closed ? "🔒 " : "") + t.name));
      return b;
    }));
  }

  goToTopic(thread) {
    this.thread = thread;
    this.answer(null);
    this.clear();
  }

  atEnd() { return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < nearEnd; }

  toEnd(smooth) {
    this.log.scrollTo({ top: this.log.scrollHeight, behavior: smooth ? "smooth" : "instant" });
    this.newest.hidden = true;
    this.ended = true;
  }

  scrolled() {
    this.ended = this.atEnd();
    if (this.ended) this.newest.hidden = true;
  }

  // drawMessages makes the rows that are new or have changed, and leaves the others alone: what is open,
  // selected or focused in them stays so.
  drawMessages(c) {
    const stick = this.stick || this.atEnd();
    let before = this.day(c);
    let news = false;
    const albums = new Map(); // the messages of each, but the first one that is there
    const shown = c.messages.filter((m) => {
      if (c.forum && (m.thread || 0) !== this.thread) return false;
      if (!m.album || m.deleted) return true;
      if (albums.has(m.album)) return albums.get(m.album).push(m), false;
      return albums.set(m.album, []);
    });
    for (const [id, d] of this.drawn) {
      if (shown.some((m) => m.id === id)) continue;
      d.node.remove();
      this.drawn.delete(id);
    }
    shown.forEach((m, i) => {
      const place = this.place(c, m, shown[i - 1]);
      place.album = m.deleted ? [] : albums.get(m.album) || [];
      const from = JSON.stringify([m, place]);
      const old = this.drawn.get(m.id);
      let node = old?.node;
      if (old?.from !== from) {
        node = row(m, this, place);
        if (old) this.replace(old.node, node);
        else before.after(node);
        this.drawn.set(m.id, { from, node });
        news = true;
      } else if (before.nextSibling !== node) before.after(node);
      before = node;
    });
    this.log.classList.toggle("empty", !c.messages.length);
    this.log.dataset.empty = c.messages.length ? "" : this.word("empty");
    if (news && stick) this.toEnd();
    else if (news) this.newest.hidden = false;
    this.stick = false;
  }

  // day is the line above the first message.
  day(c) {
    let line = this.log.querySelector(".day");
    if (!line) {
      line = make("div", "notice day");
      line.append(make("span", "", this.word("today")));
      this.log.prepend(line);
    }
    line.hidden = !c.messages.length;
    return line;
  }

  // replace puts a row in the place of its older self, and the focus where it was.
  replace(old, node) {
    const inside = old.contains(document.activeElement) ? [...old.querySelectorAll("button, a, [tabindex]")].indexOf(document.activeElement) : -1;
    const key = document.activeElement?.classList.contains("key");
    old.replaceWith(node);
    if (inside < 0) return;
    const all = [...node.querySelectorAll(key ? ".key" : "button, a, [tabindex]")];
    (all[Math.min(inside, all.length - 1)] && key ? all[0] : all[inside] || this.log)?.focus({ preventScroll: true });
  }

  // place says how a message stands among the others, for this person.
  place(c, m, previous) {
    const mine = m.from === this.person.id;
    const close = previous && !previous.event && !previous.deleted && previous.from === m.from && m.time - previous.time < 300;
    const answered = m.reply_to ? c.messages.find((o) => o.id === m.reply_to) : null;
    return {
      mine, follows: Boolean(close), face: isGroup(c) && !mine, author: isGroup(c) && !mine && !close,
      answered: answered ? { name: answered.name, text: answered.text?.slice(0, 120), file: answered.file, deleted: answered.deleted } : null,
      waiting: [...c.waiting.filter((w) => w.message === m.id && w.user === this.person.id).map((w) => w.data), ...(this.tapped?.message === m.id ? [this.tapped.data] : [])],
    };
  }

  drawFoot(c) {
    const me = this.me(c);
    const fresh = !isGroup(c) && !c.messages.length && !c.blocked && !c.gone;
    const shut = this.topic(c)?.closed && !this.manages(c);
    const mute = !fresh && (!me?.writes || shut);
    const opens = this.foot.hidden && !fresh && !mute;
    this.foot.hidden = fresh || mute;
    if (opens) this.grow(); // what was put there meanwhile had no height
    this.start.hidden = !fresh && !mute;
    const now = JSON.stringify([this.root.lang, fresh, mute, shut, c.blocked, c.gone, me?.role]);
    if (this.start.dataset.drawn !== now) {
      this.start.dataset.drawn = now;
      this.drawStart(c, fresh, me);
    }
    this.drawKeys(c);
    if (this.eager && !this.foot.hidden) {
      this.eager = false;
      this.text.focus();
    }
  }

  drawStart(c, fresh, me) {
    if (c.gone) return this.start.replaceChildren(make("p", "", this.word("deleted_account")));
    if (!fresh && !c.blocked) return this.start.replaceChildren(make("p", "", this.word(me?.writes ? "shut" : me?.role === "restricted" ? "muted" : "not_member")));
    const b = button("main", this.word(c.blocked ? "restart" : "start"), async () => {
      if (c.blocked) await this.ask("unblock");
      this.eager = true; // to write, as soon as there is something to write in
      await this.ask("say", { text: "/start" });
    });
    this.start.replaceChildren(...(c.blocked ? [make("p", "", this.word("blocked"))] : []), b);
  }

  // drawKeys shows the keyboard that the bot has given to write with.
  drawKeys(c) {
    const k = c?.keyboard;
    if (k?.message !== this.keysOf) {
      this.keysOf = k?.message;
      this.keysHidden = false;
    }
    const rows = (k?.rows || []).map((keys) => keys.filter(doable)).filter((keys) => keys.length);
    this.keysButton.hidden = !rows.length;
    this.keysButton.setAttribute("aria-expanded", String(!this.keysHidden));
    this.keys.hidden = !rows.length || this.keysHidden;
    this.text.placeholder = k?.placeholder || this.word("message");
    const now = JSON.stringify([rows, this.root.lang]);
    if (this.keys.dataset.drawn === now) return;
    this.keys.dataset.drawn = now;
    this.keys.replaceChildren(...rows.map((keys) => {
      const line = make("div", "keys");
      line.append(...keys.map((key) => {
        const b = button("key", undefined, () => this.press(key));
        const text = make("span", "", key.text);
        text.dir = "auto";
        b.append(text);
        return b;
      }));
      return line;
    }));
  }

  // press does what a key of that keyboard is for.
  press(key) {
    if (key.asks === "request_users" || key.asks === "request_chat") this.page.choose(this, key);
    else if (key.asks === "request_contact") this.ask("press", { text: key.text });
    else if (key.asks === "request_location") this.ask("location", { text: key.text, latitude: 36.7538, longitude: 3.0588 }); // Algiers
    else this.say(key.text);
  }

  // drawAnswer shows what a tap was answered with, once.
  drawAnswer(c) {
    const t = (c.toasts || []).find((o) => o.user === this.person.id);
    const first = !(c.id in this.toasted); // it was answered before this chat came on screen
    if (this.toasted[c.id] === (t?.id || "")) return;
    this.toasted[c.id] = t?.id || "";
    if (!t || first) return;
    if (t.alert) this.page.view({ alert: t.text, phone: this });
    else this.toast(t.text);
  }

  // toggle opens or closes one of the popups.
  toggle(what, opener) {
    if (!this.popup.hidden && this.opened === what) return this.close(true);
    this.open(what, opener);
    this.popup.querySelector("button, select")?.focus();
  }

  open(what, opener, message) {
    this.close();
    this.opened = what;
    this.opener = opener;
    this.subject = message;
    this.popup.className = "popup " + what;
    this.popup.style.setProperty("--foot", this.foot.offsetHeight + "px");
    this.popup.hidden = false;
    opener?.setAttribute("aria-expanded", "true");
    this.fill();
  }

  // close closes the popup, and puts the focus back where it came from if that is wanted.
  close(back) {
    if (this.popup.hidden) return;
    this.popup.hidden = true;
    this.popup.dataset.drawn = "";
    this.opener?.setAttribute("aria-expanded", "false");
    if (back) this.opener?.focus();
    this.opened = "";
  }

  fill() {
    const c = this.chat();
    const rows = { results: () => this.resultRows(), attach: () => this.attachRows(), commands: () => this.commandRows(c), actions: () => this.actionRows(c), message: () => this.messageRows(c) }[this.opened]();
    if (!rows) return; // as it was
    if (!rows.length) return void this.close();
    const held = this.popup.contains(document.activeElement);
    this.popup.replaceChildren(...rows);
    if (held) this.popup.querySelector("button, select")?.focus();
    this.popup.onkeydown = (e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (!step || e.target.tagName === "SELECT") return;
      e.preventDefault();
      const all = [...this.popup.querySelectorAll("button, select")];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
    };
  }

  // suggest offers commands while one is typed.
  suggest() {
    const typing = /^\/\w*$/.test(this.text.value);
    if (typing && this.offered(this.chat()).length) this.open("commands", this.menuButton);
    else if (this.opened === "commands") this.close();
  }

  // offered lists the commands of the chat's menu that begin as what is typed.
  offered(c) {
    const begun = /^\/\w*$/.test(this.text.value) ? this.text.value.slice(1) : "";
    return (this.me(c)?.commands || []).filter((o) => o.command.startsWith(begun));
  }

  // commandRows lists what the menu offers now: the bot may change it while it is open.
  commandRows(c) {
    const all = this.offered(c), now = JSON.stringify(all);
    if (this.popup.dataset.drawn === now) return null;
    this.popup.dataset.drawn = now;
    return all.map((o) => {
      const b = button("", undefined, () => {
        this.close();
        this.text.value = "";
        this.say("/" + o.command);
        this.text.focus();
      });
      const d = make("span", "", o.description);
      d.dir = "auto";
      const name = make("b", "", "/" + o.command);
      name.dir = "ltr";
      b.append(name, d);
      return b;
    });
  }

  // actionRows lists what people can do with the chat itself.
  actionRows(c) {
    const now = JSON.stringify([c.id, c.kind, c.blocked, c.gone, c.forum, c.topics, this.thread, c.members.map((m) => [m.id, m.role])]);
    if (this.popup.dataset.drawn === now) return null;
    this.popup.dataset.drawn = now;
    const act = (key, path, more) => button("", this.word(key), () => { this.attempt(path, more); this.close(true); });
    const rows = [];
    if (!isGroup(c) && !c.gone) rows.push(act(c.blocked ? "unblock" : "block", c.blocked ? "unblock" : "block"));
    if (isGroup(c)) rows.push(...c.members.map((m) => this.memberRow(c, m)));
    if (c.kind === "group" && this.me(c)?.role === "creator") rows.push(act("upgrade", "migrate"));
    rows.push(...this.topicRows(c, act));
    rows.push(button("", this.word("new_group"), () => { this.close(true); this.page.newGroup(this); }));
    return rows;
  }

  manages(c) { return ["creator", "administrator"].includes(this.me(c)?.role); }

  // topicRows lists what can be done with the topics of a group, and with the one on screen.
  topicRows(c, act) {
    if (!isGroup(c) || c.kind === "channel" || !this.manages(c)) return [];
    if (!c.forum) return [act("topics_on", "forum", { on: true })];
    const t = this.topic(c);
    return [
      ...(t ? [act(t.closed ? "topic_reopen" : "topic_close", t.closed ? "reopen_topic" : "close_topic", { thread: t.thread }), act("topic_delete", "delete_topic", { thread: t.thread })] : []),
      button("", this.word("new_topic"), () => { this.close(true); this.page.newTopic(this); }),
      act("topics_off", "forum", { on: false }),
    ];
  }

  memberRow(c, m) {
    const line = make("label", "member");
    const name = make("bdi", "", m.name);
    const select = make("select");
    const offered = m.role === "creator" ? ["creator"] : ["administrator", "member", ...(c.kind === "supergroup" ? ["restricted"] : []), "left", "kicked"];
    options(select, offered.map((r) => [r, this.word(r)]), m.role);
    select.disabled = m.role === "creator" || !this.manages(c);
    select.addEventListener("change", async () => {
      if (!await this.attempt("role", { member: m.id, role: select.value })) select.value = m.role;
    });
    line.append(name, select);
    return line;
  }

  // menu opens what can be done with one message.
  menu(m, at) {
    this.open("message", at, m);
    const box = at.getBoundingClientRect();
    const frame = this.screen.getBoundingClientRect();
    const top = Math.min(box.bottom - frame.top + 4, frame.height - this.popup.offsetHeight - 12);
    const start = this.root.dir === "rtl" ? frame.right - box.right : box.left - frame.left;
    this.popup.style.setProperty("--top", Math.max(top, 8) + "px");
    this.popup.style.setProperty("--start", Math.max(8, Math.min(start, frame.width - this.popup.offsetWidth - 10)) + "px");
    this.popup.querySelector("button")?.focus();
  }

  messageRows(c) {
    const m = this.subject;
    const act = (key, done) => button("", this.word(key), () => { this.close(true); done(); });
    const rows = [];
    if (this.me(c)?.writes) rows.push(act("reply", () => this.answer(m)));
    if (m.text) rows.push(act("copy", () => this.copied(m.text)));
    if (m.from === this.person.id && m.text) rows.push(act("edit", () => this.answer(m, true)));
    if (!isGroup(c) || m.from === this.person.id || this.manages(c)) rows.push(act("remove", () => this.attempt("remove", { message: m.id })));
    return rows;
  }

  view(what) { this.page.view({ ...what, phone: this }); }
}

// doable tells whether the page can do what a key of a keyboard to write with is for. Another one is not shown.
function doable(key) {
  return !["request_poll", "web_app"].includes(key.asks);
}
