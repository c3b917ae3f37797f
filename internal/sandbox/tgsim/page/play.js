// What people play with in a message: polls, invoices, files that sound, and what stands on a card.

import { button, make } from "./kit.js";

// played draws what a message carries that is neither text nor a picture, nothing where it carries none.
export function played(m, door) {
  const c = m.content || {};
  const parts = [];
  if (c.poll) parts.push(poll(m, c.poll, door));
  if (c.invoice) parts.push(invoice(m, c.invoice, door));
  const words = card(c);
  if (words) {
    const said = make("div", "card-text", words);
    said.dir = "auto";
    parts.push(said);
  }
  return parts;
}

// card is what only says something.
function card(c) {
  if (c.contact) return `👤 ${[c.contact.first_name, c.contact.last_name].filter(Boolean).join(" ")}\n\u2066${c.contact.phone_number}\u2069`;
  if (c.venue) return `📍 ${c.venue.title}\n${c.venue.address}`;
  if (c.location) return `📍 \u2066${c.location.latitude.toFixed(5)}, ${c.location.longitude.toFixed(5)}\u2069`;
  if (c.dice) return `${c.dice.emoji} ${c.dice.value}`;
  return "";
}

// poll is a question with what can be voted for, and, once somebody has voted or it is closed, with how many did.
function poll(m, p, door) {
  const mine = m.votes?.[door.person.id];
  const open = !p.is_closed && !mine;
  const box = make("div", "poll");
  const kind = p.is_closed ? "closed" : p.type === "quiz" ? "quiz" : p.is_anonymous ? "anonymous" : "public_poll";
  box.append(isolated("b", p.question), make("small", "", door.word(kind)));
  const vote = (options) => door.ask("vote", { message: m.id, options });
  const chosen = new Set();
  const send = button("act", door.word("vote"), () => vote([...chosen].sort((a, b) => a - b)));
  send.disabled = true;
  p.options.forEach((o, i) => {
    if (!open) return box.append(result(p, o, i, mine, door));
    const b = button("option", undefined, () => {
      if (!p.allows_multiple_answers) return vote([i]);
      if (!chosen.delete(i)) chosen.add(i);
      b.setAttribute("aria-pressed", String(chosen.has(i)));
      send.disabled = !chosen.size;
    });
    if (p.allows_multiple_answers) b.setAttribute("aria-pressed", "false");
    b.append(isolated("span", o.text));
    box.append(b);
  });
  if (open && p.allows_multiple_answers) box.append(send);
  if (mine && !p.is_closed && p.type !== "quiz") box.append(button("act", door.word("retract"), () => vote([])));
  box.append(make("small", "", door.word("votes", { n: p.total_voter_count })));
  return box;
}

// result is how an option stands.
function result(p, o, i, mine, door) {
  const share = p.total_voter_count ? Math.round((100 * o.voter_count) / p.total_voter_count) : 0;
  const line = make("div", "result");
  const sign = p.type === "quiz" ? (p.correct_option_ids?.includes(i) ? "✓ " : mine?.includes(i) ? "✗ " : "") : mine?.includes(i) ? "✓ " : "";
  const bar = make("span", "share");
  bar.style.setProperty("--share", share + "%");
  line.append(isolated("span", sign + o.text), make("b", "", `${share}%`), bar);
  line.classList.toggle("chosen", Boolean(mine?.includes(i)));
  if (mine?.includes(i)) line.setAttribute("aria-label", `${o.text}: ${share}%, ${door.word("your_vote")}`), line.setAttribute("role", "img");
  return line;
}

// amount is a sum as people write it: the smallest units of a currency, or stars.
export function amount(total, currency) {
  if (currency === "XTR") return `⭐ ${total}`;
  try {
    const f = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" });
    return f.format(total / 10 ** f.resolvedOptions().maximumFractionDigits);
  } catch {
    return `${total} ${currency}`;
  }
}

// invoice is what is to be paid, and how far this person has come with that.
function invoice(m, i, door) {
  const box = make("div", "invoice");
  box.append(isolated("b", i.title), isolated("span", i.description), make("bdi", "amount", amount(i.total_amount, i.currency)));
  const p = (m.payments || []).filter((one) => one.user === door.person.id).pop();
  if (!p) return box;
  const state = make("small", p.problem ? "bad" : "", p.paid ? "✓ " + door.word("paid") : p.problem || door.word(p.offers?.length ? "ship_how" : "asking"));
  state.setAttribute("role", "status");
  box.append(state);
  for (const o of p.offers || []) {
    const b = button("option", undefined, () => door.ask("ship", { payment: p.id, option: o.id }));
    b.append(isolated("span", o.title), make("bdi", "", amount(o.total_amount, i.currency)));
    box.append(b);
  }
  return box;
}

// player plays a file.
export function player(f, address, door) {
  const p = make(f.plays, "player");
  Object.assign(p, { controls: true, preload: "metadata", src: address });
  p.setAttribute("aria-label", f.name || door.word(f.plays));
  return p;
}

function isolated(tag, text) {
  const e = make(tag, "", text);
  e.dir = "auto";
  return e;
}
