// The guided tour: eight steps, each of which finds out by itself that it is done.

import { button, copy, icon, iconButton, make, post, remembered, setText } from "/kit.js";
import { word } from "./words.js";

const steps = ["link", "buy", "topup", "list", "lose", "credit", "alert", "accounts"];

export class Tour {
  constructor(door) {
    this.door = door;
    this.done = {};
    this.skipped = new Set();
    this.chosen = ""; // a step that was asked for
    this.closed = remembered.get("tour") === "closed";
    this.folded = false;
    this.narrow = matchMedia("(max-width: 859px)");
    this.root = make("section", "tour");
    this.reopen = button("reopen", undefined, () => this.open());
    this.reopenText = make("span");
    this.reopen.append(icon("flag"), this.reopenText);
    this.live = make("p", "unseen"); // what is read out
    this.live.setAttribute("role", "status");
  }

  word(key, values) { return word(this.door.language(), key, values); }

  // step is the one that is shown; "" when there is none left.
  step() { return this.chosen || steps.find((s) => !this.done[s] && !this.skipped.has(s)) || ""; }

  open() {
    this.closed = this.folded = false;
    this.skipped.clear();
    this.chosen = "";
    remembered.set("tour", "open");
    this.draw(this.view, true);
    this.root.focus();
  }

  close() {
    this.closed = true;
    remembered.set("tour", "closed");
    this.draw(this.view, true);
    this.reopen.focus();
  }

  fold(folded) {
    this.folded = folded;
    this.draw(this.view);
  }

  draw(view, anew) {
    this.view = view;
    if (!view) return;
    for (const s of steps) {
      if (view.tour[s] && !this.done[s]) {
        this.done[s] = true;
        if (this.chosen === s) this.chosen = "";
        this.folded = false;
        setText(this.live, `${this.word(s)}: ${this.word("done")}`);
      }
    }
    setText(this.reopenText, this.word("tour_open"));
    this.reopen.hidden = !this.closed;
    this.root.hidden = this.closed;
    const step = this.step();
    const now = JSON.stringify([this.door.language(), step, this.done, [...this.skipped], this.closed, this.folded, view.service.weather.lose > 0, step ? 0 : view.truth]);
    if (!anew && this.drawn === now) return;
    this.drawn = now;
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.door : null;
    this.root.tabIndex = -1;
    this.root.dataset.step = step || "finished";
    this.root.classList.toggle("folded", this.folded);
    this.root.setAttribute("aria-label", this.word("tour"));
    this.root.replaceChildren(this.head(step), ...(this.folded ? [] : this.body(step)));
    if (focused) this.root.querySelector(`[data-door="${focused}"]`)?.focus();
  }

  head(step) {
    const head = make("div", "head");
    const dots = make("div", "dots");
    steps.forEach((s, i) => {
      const b = button("dot", undefined, () => { this.chosen = s; this.folded = false; this.draw(this.view); }, `${this.word("step", { n: i + 1, of: steps.length })}: ${this.word(s)}${this.done[s] ? ", " + this.word("done") : ""}`);
      b.dataset.door = "dot" + i;
      b.dataset.done = String(Boolean(this.done[s]));
      if (s === step) b.setAttribute("aria-current", "step");
      if (this.done[s]) b.append(icon("check"));
      else b.append(String(i + 1));
      dots.append(b);
    });
    const title = make("h2", "", this.word(step || "finished"));
    if (step && this.folded) title.textContent = `${this.word("step", { n: steps.indexOf(step) + 1, of: steps.length })} · ${title.textContent}`;
    const fold = iconButton("plain fold", "down", this.word(this.folded ? "unfold" : "fold"), () => this.fold(!this.folded));
    fold.setAttribute("aria-expanded", String(!this.folded));
    fold.dataset.door = "fold";
    const close = iconButton("plain", "close", this.word("close"), () => this.close());
    close.dataset.door = "close";
    head.append(title, fold, close);
    return this.folded ? head : this.wrapped(head, dots);
  }

  wrapped(head, dots) {
    const box = make("div", "top");
    box.append(head, dots);
    return box;
  }

  body(step) {
    if (!step) return [make("p", "", this.word("finished_text", this.view.truth))];
    const text = make("p", "", this.word(step + "_text", { coins: this.view.coins }));
    const doors = make("div", "doors");
    const add = (key, label, act) => {
      const b = button(key === "do" ? "main" : "soft", label, act);
      b.dataset.door = key;
      doors.append(b);
      return b;
    };
    if (step === "lose") {
      const armed = this.view.service.weather.lose > 0;
      const b = add("arm", this.word(armed ? "lose_armed" : "lose_arm"), () => post("/beside/service/", { do: "lose" }));
      b.disabled = armed;
      b.className = armed ? "soft" : "main";
    }
    const typed = { link: "/key " + this.view.key, buy: "/buy", topup: "/topup", list: "play card 5 x2\nvpn x1", credit: "/prices", lose: "/buy play card", alert: "/alerts", accounts: "/key " + this.view.other }[step];
    const put = add("do", this.word(step + "_do"), () => {
      if (this.narrow.matches) this.fold(true); // there is little room for both
      this.door.compose(typed);
    });
    if (step === "lose") put.className = this.view.service.weather.lose > 0 ? "main" : "soft";
    if (step === "topup") add("copy", this.word("topup_copy"), () => { copy("51234567"); this.door.toast(this.word("copied")); });
    if (!this.done[step]) add("skip", this.word("skip"), () => { this.skipped.add(step); this.chosen = ""; this.draw(this.view); });
    return [text, doors];
  }
}
