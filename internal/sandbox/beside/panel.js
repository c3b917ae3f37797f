// The other side of the wire: the service's wallet, orders, stock and key, the bot's process, and the weather.

import { button, copy, iconButton, icon, make, named, options, post, setText } from "/kit.js";
import { Tour } from "./tour.js";
import { missing, word } from "./words.js";

const narrow = matchMedia("(max-width: 859px)");

// mount draws the panel into the places that the page offers.
export function mount(page) {
  const sheet = make("link");
  Object.assign(sheet, { rel: "stylesheet", href: "/beside/panel.css" });
  document.head.append(sheet);
  new Panel(page);
}

class Panel {
  constructor(page) {
    this.page = page;
    this.view = null;
    this.root = page.panel;
    this.tour = new Tour({
      language: page.language,
      compose: (text) => {
        const phone = page.phone();
        page.show(phone.person.id, true);
        phone.eager = true;
        if (phone.foot.hidden) phone.ask("say", { text: "/start" });
        phone.compose(text);
      },
      toast: (text) => this.toast(text),
    });
    this.build();
    page.onLanguage(() => this.draw());
    narrow.addEventListener("change", () => this.place());
    this.place();
    const events = new EventSource("/beside/events");
    events.onmessage = (e) => { this.view = JSON.parse(e.data); this.draw(); };
    window.sandbox.panel = this;
    window.sandbox.missingBeside = missing;
  }

  word(key, values) { return word(this.page.language(), key, values); }

  toast(text) { this.page.phone()?.toast(text); }

  service(command) { return this.act("/beside/service/", command); }

  // act asks for something, and says why it was not done.
  async act(path, command) {
    const trouble = await post(path, command);
    if (trouble) this.said(trouble);
    return trouble;
  }

  said(text) {
    setText(this.trouble, text);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => setText(this.trouble, ""), 6000);
  }

  // money writes an amount as the page's language groups digits.
  money(exact) {
    const language = { en: "en", fr: "fr", ar: "en" }[this.page.language()];
    const [whole, cents] = exact.replace("-", "").split(".");
    const grouped = new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(BigInt(whole));
    return `\u2068${exact.startsWith("-") ? "−" : ""}${grouped}${cents ? (language === "fr" ? "," : ".") + cents.padEnd(2, "0") : ""} ${this.page.language() === "ar" ? "د.ج" : "DA"}\u2069`;
  }

  // place puts the tour where there is room for it.
  place() {
    (narrow.matches ? this.page.strip : this.tourPlace).append(this.tour.root, this.tour.live);
  }

  section(key, ...content) {
    const d = make("details", "part " + key);
    d.open = key !== "stock";
    const title = make("summary");
    const text = make("h2");
    title.append(text, icon("down"));
    d.append(title, ...content);
    this.titles.push([text, key]);
    return d;
  }

  build() {
    this.titles = [];
    this.labels = []; // what has to be said anew in another language
    this.truth = make("section", "truth");
    this.truth.setAttribute("role", "status");
    this.tourPlace = make("div");
    this.trouble = make("p", "trouble");
    this.trouble.setAttribute("role", "alert");
    this.root.append(this.truth, this.tour.reopen, this.tourPlace, this.trouble, this.buildBot(), this.buildWeather(), this.buildWallet(), this.buildOrders(), this.buildStock());
    this.buildTruth();
  }

  buildTruth() {
    this.numbers = {};
    const line = make("div", "numbers");
    for (const key of ["bought", "told", "difference"]) {
      const box = make("div", "number " + key);
      const value = make("b");
      const label = make("span");
      box.append(value, label);
      this.numbers[key] = { value, label };
      line.append(box);
    }
    this.verdict = make("p");
    this.truth.append(line, this.verdict);
  }

  buildBot() {
    const line = make("div", "line");
    this.lamp = make("span", "lamp");
    this.life = make("div", "words");
    this.lifeState = make("b");
    this.lifeNumber = make("small");
    this.life.append(this.lifeState, this.lifeNumber);
    this.killButton = button("kill", "", () => this.act("/beside/bot", { do: "kill" }));
    line.append(this.lamp, this.life, this.killButton);
    this.killText = make("p", "hint");
    return this.section("bot", line, this.killText);
  }

  buildWeather() {
    const grid = make("div", "grid");
    this.skies = {};
    for (const key of ["lose", "timeout", "down", "limit", "flood"]) {
      const b = button("sky", undefined, () => (key === "flood" ? this.act("/beside/telegram", { do: "flood" }) : this.service({ do: key })));
      b.dataset.sky = key;
      const name = make("b");
      const hint = make("small");
      const badge = make("span", "badge");
      b.append(name, hint, badge);
      this.skies[key] = { b, name, hint, badge };
      grid.append(b);
    }
    const well = button("sky well", undefined, () => {
      this.service({ do: "well" });
      this.act("/beside/telegram", { do: "well" });
    });
    this.wellText = make("b");
    well.append(this.wellText);
    grid.append(well);
    return this.section("weather", grid);
  }

  buildWallet() {
    this.accounts = make("div", "cards");
    this.accountCards = new Map();
    return this.section("wallet", this.accounts);
  }

  buildOrders() {
    const label = make("label", "switch");
    this.holdBox = make("input");
    this.holdBox.type = "checkbox";
    this.holdBox.addEventListener("change", () => this.service({ do: "hold", on: this.holdBox.checked }));
    this.holdText = make("span");
    label.append(this.holdBox, this.holdText);
    this.orders = make("div", "cards");
    this.orderCards = new Map();
    this.noOrders = make("p", "hint");
    return this.section("orders", label, this.noOrders, this.orders);
  }

  buildStock() {
    this.stock = make("div", "cards");
    return this.section("stock", this.stock);
  }

  draw() {
    const v = this.view;
    if (!v) return;
    const language = this.page.language();
    if (this.language !== language) {
      this.language = language;
      for (const [e, key] of this.titles) setText(e, this.word(key));
      this.accountCards.clear();
      this.accounts.replaceChildren();
      this.orderCards.clear();
      this.orders.replaceChildren();
      this.stock.dataset.drawn = "";
    }
    this.drawTruth(v.truth);
    this.tour.draw(v);
    this.drawBot(v.bot);
    this.drawWeather(v);
    for (const a of v.service.accounts) this.drawAccount(a);
    this.drawOrders(v.service);
    this.drawStock(v.service.products);
  }

  drawTruth(t) {
    const difference = t.bought - t.told;
    for (const [key, value] of Object.entries({ bought: t.bought, told: t.told, difference })) {
      setText(this.numbers[key].label, this.word(key));
      setText(this.numbers[key].value, String(value).replace("-", "−"));
    }
    this.truth.classList.toggle("even", difference === 0 && t.bought > 0);
    this.truth.classList.toggle("uneven", difference !== 0);
    this.truth.dataset.difference = difference;
    setText(this.verdict, difference !== 0 ? this.word("uneven") : this.word("even", t));
    this.verdict.hidden = !t.bought;
  }

  drawBot(b) {
    this.lamp.classList.toggle("on", b.alive);
    setText(this.lifeState, this.word(b.alive ? "alive" : "dead"));
    setText(this.lifeNumber, b.alive ? this.word("life", { pid: b.pid, n: b.lives }) : "");
    setText(this.killButton, this.word("kill"));
    this.killButton.disabled = !b.alive;
    this.life.dataset.lives = b.lives;
    this.life.dataset.alive = b.alive;
    setText(this.killText, this.word("kill_text"));
  }

  drawWeather(v) {
    for (const [key, s] of Object.entries(this.skies)) {
      const n = key === "flood" ? v.flood : v.service.weather[key] || 0;
      setText(s.name, this.word(key === "lose" ? "lose_arm" : key));
      setText(s.hint, this.word(key + "_hint"));
      setText(s.badge, n ? this.word("queued", { n }) : "");
      s.badge.hidden = !n;
      s.b.classList.toggle("on", n > 0);
      s.b.dataset.left = n;
    }
    setText(this.wellText, this.word("well"));
  }

  // drawAccount makes an account's card once, and keeps what is typed in it.
  drawAccount(a) {
    let card = this.accountCards.get(a.key);
    if (!card) {
      card = this.accountCard(a);
      this.accountCards.set(a.key, card);
      this.accounts.append(card.root);
    }
    setText(card.balance, this.money(a.balance));
    card.expire.checked = a.expired;
    card.block.checked = a.blocked;
    card.mode.value = a.mode;
  }

  accountCard(a) {
    const root = make("article", "card");
    const head = make("div", "line");
    const balance = make("b", "balance");
    head.append(make("bdi", "words", a.name), balance);
    const key = make("div", "line secret");
    const text = make("code", "", a.key);
    key.append(text, iconButton("plain small", "copy", this.word("copy"), () => { copy(a.key); this.toast(this.word("copied")); }));
    const form = make("form", "line");
    const amount = make("input");
    Object.assign(amount, { type: "text", inputMode: "decimal", value: "5000", dir: "ltr", required: true });
    amount.setAttribute("aria-label", `${this.word("amount")}: ${a.name}`);
    const move = (sign) => this.service({ do: "move", key: a.key, amount: sign + amount.value.trim().replace(/^[-+−]/, "") });
    form.addEventListener("submit", (e) => { e.preventDefault(); move(""); });
    const add = make("button", "soft", this.word("add"));
    form.append(amount, add, button("soft", this.word("take"), () => move("-")));
    const [expireLabel, expire] = this.toggle("expire", (on) => this.service({ do: "expire", key: a.key, on }));
    const [blockLabel, block] = this.toggle("block", (on) => this.service({ do: "block", key: a.key, on }));
    const modeLabel = make("label", "switch");
    const mode = make("select");
    options(mode, ["current", "legacy", "both"].map((m) => [m, this.word(m)]), a.mode);
    mode.addEventListener("change", () => this.service({ do: "mode", key: a.key, mode: mode.value }));
    modeLabel.append(make("span", "", this.word("mode")), mode);
    const switches = make("div", "switches");
    switches.append(expireLabel, blockLabel, modeLabel);
    root.append(head, key, form, switches);
    return { root, balance, expire, block, mode };
  }

  toggle(key, act) {
    const label = make("label", "switch");
    const box = make("input");
    box.type = "checkbox";
    box.addEventListener("change", () => act(box.checked));
    label.append(box, make("span", "", this.word(key)));
    return [label, box];
  }

  drawOrders(service) {
    setText(this.holdText, this.word("hold"));
    this.holdBox.checked = service.holding;
    setText(this.noOrders, this.word("no_orders"));
    this.noOrders.hidden = service.orders.length > 0;
    const ids = new Set(service.orders.map((o) => o.id));
    for (const [id, card] of this.orderCards) {
      if (ids.has(id)) continue;
      card.root.remove();
      this.orderCards.delete(id);
    }
    let before = null;
    for (const o of service.orders) {
      const from = JSON.stringify(o);
      let card = this.orderCards.get(o.id);
      if (card?.from !== from) {
        const root = this.orderCard(o);
        if (card) card.root.replaceWith(root);
        card = { root, from };
        this.orderCards.set(o.id, card);
      }
      if (before ? before.nextSibling !== card.root : this.orders.firstChild !== card.root) before ? before.after(card.root) : this.orders.prepend(card.root);
      before = card.root;
    }
  }

  orderCard(o) {
    const root = make("article", "card order " + o.state);
    root.dataset.order = o.id;
    const head = make("div", "line");
    head.append(make("bdi", "words", o.what), make("span", "state", this.word(o.state === "done" ? "state_done" : o.state)));
    const about = make("div", "line soft-text");
    about.append(make("bdi", "words", [o.id, o.player ? this.word("for_player", { player: o.player }) : ""].filter(Boolean).join(" · ")), make("span", "", this.money(o.price)));
    root.append(head, about);
    const doors = make("form", "line");
    doors.addEventListener("submit", (e) => e.preventDefault());
    if (o.state === "waiting") {
      let code = null;
      if (o.manual) {
        code = make("input");
        Object.assign(code, { type: "text", placeholder: this.word("code"), dir: "ltr", autocomplete: "off" });
        code.setAttribute("aria-label", this.word("code"));
        doors.append(code);
      }
      doors.append(button("soft", this.word("complete"), () => this.service({ do: "complete", order: o.id, code: code?.value || "" })), button("soft bad", this.word("fail"), () => this.service({ do: "fail", order: o.id })));
      root.append(doors);
      if (o.held) root.append(make("p", "hint", this.word("never")));
    }
    if (o.state === "failed") {
      doors.append(button("soft", this.word("refund"), () => this.service({ do: "refund", order: o.id })));
      root.append(doors);
    }
    return root;
  }

  // drawStock draws the variants anew only where one has changed that nobody is typing at.
  drawStock(products) {
    const now = JSON.stringify(products);
    if (this.stock.dataset.drawn === now || this.stock.contains(document.activeElement) && document.activeElement.tagName === "INPUT") return;
    this.stock.dataset.drawn = now;
    this.stock.replaceChildren(...products.map((p) => {
      const root = make("article", "card");
      root.append(make("bdi", "words name", p.name), ...p.variants.map((v) => this.variantLine(p, v)));
      return root;
    }));
  }

  variantLine(p, v) {
    const form = make("form", "variant");
    form.dataset.variant = v.id;
    const what = `${p.name}, ${v.name}`;
    const price = make("input");
    Object.assign(price, { type: "text", inputMode: "decimal", value: v.price, dir: "ltr", required: true });
    named(price, this.word("price", { what }));
    const units = make("input");
    Object.assign(units, { type: "text", inputMode: "numeric", value: String(v.units), dir: "ltr", required: true, pattern: "[0-9]+" });
    named(units, this.word("units", { what }));
    const set = make("button", "soft", this.word("set"));
    form.append(make("bdi", "words", v.name), price, units, set);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      set.focus();
      this.service({ do: "variant", variant: v.id, price: price.value, units: Number(units.value) });
    });
    return form;
  }
}
