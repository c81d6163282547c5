"use strict";
const items = [...document.querySelectorAll(".list li")];
const blocks = new Map([...document.querySelectorAll("script[data-episode]")].map((block) => [block.dataset.episode, block]));
const episodes = document.getElementById("episodes");
const pane = document.getElementById("pane");
const welcome = [...pane.childNodes];
const read = new Map();

/* Every text becomes a text node; nothing is ever parsed as markup. */
function el(tag, cls, ...parts) {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...parts.filter((part) => part !== null && part !== "").map((part) => (part instanceof Node ? part : visible(String(part)))));
  return node;
}

/* Control characters as the pictures of them, one for one, so that places in the text stay. */
function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, (char) => (char === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + char.charCodeAt(0))));
}

function bidi(tag, cls, ...parts) {
  const node = el(tag, cls, ...parts);
  node.dir = "auto";
  return node;
}

function link(text, hash, title) {
  const node = el("a", "", text);
  node.href = hash;
  if (title) node.title = visible(title);
  return node;
}

function spaced(word) {
  return word.replaceAll("_", " ");
}

function day(stamp) {
  return stamp.slice(0, 16).replace("T", " ");
}

function hashOf(id, part) {
  return "#" + encodeURIComponent(id) + (part ? "/" + encodeURIComponent(part) : "");
}

function episode(id) {
  if (!read.has(id)) read.set(id, prepared(JSON.parse(blocks.get(id).textContent)));
  return read.get(id);
}

/* Adds to the data which probes each event is evidence of. */
function prepared(data) {
  data.proves = new Map();
  for (const probe of data.probes) {
    for (const [, groups] of probe.evidence) {
      for (const [, atoms] of groups) {
        for (const [event] of atoms) {
          if (!data.proves.has(event)) data.proves.set(event, new Set());
          data.proves.get(event).add(probe);
        }
      }
    }
  }
  for (const session of data.sessions) session.proof = session.marks.some((mark) => data.proves.has(mark.event));
  return data;
}

/* -- the questions -------------------------------------------------------------------------------------------- */

function told(event) {
  return event.op + (event.about === "target" ? "" : " of " + event.about) + (event.value === null ? "" : ": " + event.value);
}

function describe(data, id) {
  const event = data.events[id];
  return [id + ": " + told(event), "by " + event.who, "states " + event.says, ...event.more.map(([name, text]) => name + ": " + text)].join("\n");
}

function goldOf(probe) {
  const list = el("dl", "golds");
  for (const [name, answer, spellings, rivals] of probe.gold) {
    const value = bidi("dd", "", el("span", "gold", answer));
    if (spellings.length) value.append(el("span", "aside", "also: " + spellings.join(", ")));
    if (rivals.length > 3) value.append(el("details", "aside", el("summary", "", "not: " + rivals.length + " others"), rivals.join("; ")));
    else if (rivals.length) value.append(el("span", "aside", "not: " + rivals.join("; ")));
    list.append(el("div", "", el("dt", "", spaced(name)), value));
  }
  return list;
}

function evidenceOf(data, probe) {
  const list = el("ul", "needs");
  for (const [field, groups] of probe.evidence) {
    const line = el("li", "", el("span", "soft", spaced(field) + ": "));
    if (!groups.length) line.append("nothing in particular; it is a negative, proved by its counterfactual");
    groups.forEach(([need, atoms], i) => {
      const facets = new Map();
      for (const [event, facet] of atoms) facets.set(event, [...(facets.get(event) || []), facet]);
      line.append(i ? "; and " : "", atoms.length > 1 ? need + " of " : "");
      [...facets].forEach(([event, said], j) => {
        line.append(j ? ", " : "", link(event, hashOf(data.id, "s" + data.events[event].at), describe(data, event)), " " + said.join(" or "));
      });
    });
    list.append(line);
  }
  return list;
}

function step(data, [id, state, current, previous], moved) {
  const event = data.events[id];
  const line = bidi("li", moved ? "moved" : "");
  line.append(link(id, hashOf(data.id, "s" + event.at), describe(data, id)), el("span", "soft", " session " + event.at + ", "), visible(told(event)), el("span", "soft", visible(" by " + event.who)));
  if (moved) line.append(el("span", "state", "\u2192 " + state + ", current ", el("b", "", current), ", previous ", el("b", "", previous)));
  else line.append(el("span", "soft", "; no change"));
  return line;
}

/* The steps that move the state or speak of what is asked; the others are folded. */
function replayOf(data, probe) {
  const main = el("ol", "replay"), others = el("ol", "replay");
  let before = "never\nabsent\nabsent";
  for (const line of data.replays[probe.replay]) {
    const after = line.slice(1).join("\n");
    const moved = after !== before;
    (moved || data.events[line[0]].about === probe.about ? main : others).append(step(data, line, moved));
    before = after;
  }
  const parts = [main];
  if (others.children.length) {
    const number = others.children.length;
    parts.push(el("details", "others", el("summary", "", number + (number === 1 ? " event" : " events") + " about others, which moved nothing"), others));
  }
  return parts;
}

function probeCard(data, probe) {
  const age = probe.age === null ? "" : ", memory age " + probe.age + (probe.age === 1 ? " session" : " sessions");
  const answer = el("div", "", el("h4", "", spaced(probe.type)),
    el("p", "asked", probe.name + ", asked " + day(probe.asked_at) + ", after session " + probe.until + age),
    bidi("p", "question", probe.question), goldOf(probe));
  if (probe.evidence.length) answer.append(el("p", "label", "Evidence"), evidenceOf(data, probe));
  if (probe.sibling) {
    const [condition, flipped] = probe.sibling;
    answer.append(bidi("p", "aside", "Had it been " + spaced(condition) + " instead: " + flipped.map(([name, text]) => spaced(name) + " " + text).join(", ")));
  }
  const card = el("section", "probe", answer, el("div", "", el("p", "label", "Replay"), ...replayOf(data, probe)));
  card.dataset.part = probe.name;
  return card;
}

/* -- the history ---------------------------------------------------------------------------------------------- */

function marked(data, content, marks) {
  if (!marks.length) return bidi("div", "text", content);
  const chars = Array.from(content);
  const cuts = [...new Set([0, chars.length, ...marks.flatMap((mark) => [mark.start, mark.end])])].sort((a, b) => a - b);
  const box = bidi("div", "text");
  for (let i = 0; i + 1 < cuts.length; i++) {
    const piece = chars.slice(cuts[i], cuts[i + 1]).join("");
    const over = marks.filter((mark) => mark.start <= cuts[i] && mark.end >= cuts[i + 1]);
    if (!over.length) {
      box.append(visible(piece));
      continue;
    }
    const node = el("mark", over.some((mark) => data.proves.has(mark.event)) ? "proof" : "said", piece);
    node.title = visible(over.map((mark) => describe(data, mark.event)).join("\n\n"));
    const ending = over.filter((mark) => mark.end === cuts[i + 1]).map((mark) => mark.event);
    if (ending.length) node.append(el("sup", "", ending.join(" ")));
    box.append(node);
  }
  return box;
}

function turnOf(data, session, number) {
  const turn = session.turns[number];
  if (!turn) return null;
  const [role, name, content] = turn;
  const marks = session.marks.filter((mark) => mark.turn === number);
  const proven = new Set(marks.flatMap((mark) => [...(data.proves.get(mark.event) || [])]));
  const node = el("div", "turn " + role, bidi("div", "role", name ? role + " " + name : role), marked(data, content, marks));
  if (proven.size) {
    node.classList.add("proof");
    node.append(el("div", "proves", "evidence for " + [...proven].map((probe) => spaced(probe.type)).join(", ")));
  }
  return node;
}

function turnsOf(data, session, first, last) {
  const turns = [];
  for (let number = first; number <= last; number++) turns.push(turnOf(data, session, number));
  const there = turns.filter((turn) => turn);
  return there.length ? there : [el("p", "soft", "The text of this background dialogue is left out of the report; the dataset holds it.")];
}

function opening(session) {
  const turn = session.turns.find((found) => found);
  return turn ? turn[2].slice(0, 160) : "";
}

/* What a session is for: its first stretch that is more than background. */
function purpose(session) {
  return session.places.find((place) => place[3] !== "background") || session.places[0] || [0, session.turns.length - 1, "filler", "unplaced", ""];
}

function stretches(data, session) {
  const main = purpose(session);
  const places = session.places.length ? session.places : [main];
  return places.map((place) => {
    const turns = turnsOf(data, session, place[0], place[1]);
    const box = place[3] === "background" && main[3] !== "background"
      ? el("details", "aside-talk", el("summary", "", turns.length + (turns.length === 1 ? " turn" : " turns") + " of background around it"), ...turns)
      : el("div", "", ...turns);
    box.title = visible(place[4]);
    return box;
  });
}

function sessionBlock(data, session) {
  const [, , phase, kind] = purpose(session);
  const folded = kind !== "event";
  const names = [el("span", "number", session.index), el("span", "phase", spaced(phase) + (folded && phase === "filler" ? "" : ","))];
  names.push(el("span", "", folded ? spaced(kind) : "event"));
  if (session.proof) names.push(el("span", "tag odd", "evidence"));
  const when = el("span", "when", day(session.at));
  const node = folded
    ? el("details", "session folded " + phase, el("summary", "", ...names, bidi("span", "peek", opening(session)), when))
    : el("section", "session " + phase, el("div", "top", ...names, when));
  node.append(el("div", "turns", ...stretches(data, session)));
  node.dataset.part = "s" + session.index;
  return node;
}

function strip(data) {
  const list = el("ol", "strip");
  for (const session of data.sessions) {
    const [, , phase, kind] = purpose(session);
    const words = "session " + session.index + ": " + spaced(phase) + ", " + spaced(kind) + (session.proof ? ", evidence" : "");
    const entry = el("li", phase + (session.proof ? " proof" : kind === "background" ? " background" : ""), link(String(session.index), hashOf(data.id, "s" + session.index), words));
    entry.firstChild.setAttribute("aria-label", words);
    list.append(entry);
  }
  return list;
}

function stripKey() {
  const key = (phase, text) => el("span", "", el("span", "key " + phase), text);
  return el("p", "strip-key", key("encoding", "encoding"), key("filler", "filler"), key("perturbation", "perturbation"), key("post_perturbation", "after it"), el("span", "", "full colour: evidence"), el("span", "", "outlined: background"));
}

/* -- the rest of an episode ----------------------------------------------------------------------------------- */

function table(head, lines) {
  const body = el("tbody", "", ...lines.map((line) => el("tr", "", ...line.map((cell) => bidi("td", "", cell)))));
  const box = el("div", "wide", el("table", "", el("thead", "", el("tr", "", ...head.map((cell) => {
    const node = el("th", "", cell);
    node.scope = "col";
    return node;
  }))), body));
  box.tabIndex = 0;
  return box;
}

function castTable(data) {
  return table(["Cast", "Whose", "What", "Values"], data.cast.map(([name, entity, attribute, values]) => [
    name, entity, attribute,
    el("ul", "values", ...Object.entries(values).map(([role, value]) => el("li", "", el("span", "soft", spaced(role) + " "), value))),
  ]));
}

function checksOf(data) {
  const list = el("ul", "remarks");
  for (const check of data.checks) {
    if (check.status === "passed" && !check.findings.length) continue;
    const line = bidi("li", "", el("strong", "", check.name), " " + spaced(check.status), check.why ? ": " + check.why : "");
    if (check.findings.length) line.append(el("ul", "remarks", ...check.findings.map(([code, severity, message, session]) =>
      bidi("li", "", el("code", "", code), " " + (severity === "error" ? "" : severity + ": ") + message + " ", session === null ? "" : link("session " + session, hashOf(data.id, "s" + session))))));
    list.append(line);
  }
  const figures = data.checks.filter((check) => check.figures).map((check) => [check.name, check.figures]);
  const passed = [...data.clear, ...data.checks.filter((check) => check.status === "passed" && !check.findings.length).map((check) => check.name)];
  const parts = list.children.length ? [list] : [];
  if (passed.length) parts.push(el("p", "soft", passed.length + " passed without a remark: " + passed.join(", ")));
  if (figures.length) parts.push(el("details", "fold", el("summary", "", "Figures"), table(["Check", "Figures"], figures)));
  return parts.length ? parts : [el("p", "soft", "No check was run.")];
}

function around(id) {
  const shown = items.filter((item) => !item.hidden || item.dataset.id === id);
  const at = shown.findIndex((item) => item.dataset.id === id);
  const go = (item, text) => (item ? link(text, hashOf(item.dataset.id)) : el("span", "soft", text));
  const back = link("\u2190 All episodes", "#episodes");
  back.className = "back";
  return el("nav", "steps", back, el("span", "", go(shown[at - 1], "\u2191 Previous"), go(shown[at + 1], "\u2193 Next")));
}

function headOf(item) {
  const tags = [...item.querySelectorAll(".tag")].map((tag) => tag.cloneNode(true));
  if (tags.length) tags[0].prepend("expects ");
  return el("p", "sub", el("span", "", item.querySelector(".where").textContent), ...tags);
}

function page(item) {
  const data = episode(item.dataset.id);
  const title = bidi("h2", "", ...[...item.querySelector(".title").childNodes].map((node) => node.cloneNode(true)));
  title.tabIndex = -1;
  const permanent = link(data.id, hashOf(data.id), "A link to this episode");
  permanent.className = "mono";
  const unfold = el("button", "", "Unfold all");
  unfold.type = "button";
  const history = el("div", "history", ...data.sessions.map((session) => sessionBlock(data, session)));
  unfold.addEventListener("click", () => {
    const open = unfold.textContent === "Unfold all";
    history.querySelectorAll("details").forEach((node) => { node.open = open; });
    unfold.textContent = open ? "Fold fillers" : "Unfold all";
  });
  const root = el("div", "episode", around(data.id), title, headOf(item), strip(data), stripKey(),
    el("h3", "", "Questions"), ...data.probes.map((probe) => probeCard(data, probe)),
    el("div", "tools", el("h3", "", "History"), unfold), history,
    el("h3", "", "Checks"), ...checksOf(data),
    el("h3", "", "Specification"),
    el("p", "", permanent, el("span", "soft", visible(data.more.map(([name, text]) => ", " + name + " " + text).join("")))), castTable(data));
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", "Episode " + data.id);
  return root;
}

/* -- going about ---------------------------------------------------------------------------------------------- */

/* What the address names: an episode, perhaps with a part of it, else a place of the overview. */
function wanted() {
  let hash = location.hash.slice(1);
  try {
    hash = decodeURIComponent(hash);
  } catch { /* a stray % stays as it is */ }
  const item = items.find((found) => found.dataset.id === hash) || items.find((found) => hash.startsWith(found.dataset.id + "/"));
  return { hash, item, part: item ? hash.slice(item.dataset.id.length + 1) : "" };
}

function current(anchor, is) {
  if (is) anchor.setAttribute("aria-current", "page");
  else anchor.removeAttribute("aria-current");
}

let open = null;
function route() {
  const { hash, item, part } = wanted();
  const reading = Boolean(item) || hash === "episodes";
  document.documentElement.dataset.view = reading ? "episodes" : "overview";
  current(document.getElementById("to-overview"), !reading);
  current(document.getElementById("to-episodes"), reading);
  episodes.classList.toggle("opened", Boolean(item));
  if (!reading) {
    const place = document.getElementById(hash);
    if (place) place.scrollIntoView();
    return;
  }
  const fresh = item !== open;
  if (fresh) turnTo(item);
  if (item && part) goTo(part);
  else if (fresh || !item) scrollTo({ top: 0, behavior: "instant" });
  else pane.querySelector("h2").scrollIntoView({ block: "center" });
}

function turnTo(item) {
  open = item || null;
  items.forEach((other) => current(other.firstChild, other === item));
  pane.replaceChildren(...(item ? [page(item)] : welcome));
  if (!item) return;
  item.scrollIntoView({ block: "nearest", behavior: "instant" });
  pane.querySelector("h2").focus({ preventScroll: true });
}

function goTo(part) {
  const target = [...pane.querySelectorAll("[data-part]")].find((node) => node.dataset.part === part);
  pane.querySelectorAll(".hit").forEach((node) => node.classList.remove("hit"));
  if (!target) return;
  if (target.tagName === "DETAILS") target.open = true;
  target.classList.add("hit");
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: target.offsetHeight > innerHeight ? "start" : "center" });
}

/* So that going back from the evidence leads to the question it was looked up for. */
pane.addEventListener("click", (click) => {
  const card = click.target.closest("a") && click.target.closest(".probe");
  if (card) history.replaceState(null, "", hashOf(open.dataset.id, card.dataset.part));
});

/* Past the list, where there is one. */
document.querySelector(".skip").addEventListener("click", (click) => {
  click.preventDefault();
  (document.documentElement.dataset.view === "episodes" ? pane : document.getElementById("overview")).focus();
});

const form = document.querySelector(".filter");
const [text, paradigm, checks, condition] = ["text", "paradigm", "checks", "condition"].map((id) => document.getElementById(id));
const haystacks = new Map();

function haystack(id) {
  if (!haystacks.has(id)) haystacks.set(id, blocks.get(id).textContent.toLowerCase());
  return haystacks.get(id);
}

function fits(item, words) {
  const own = item.dataset;
  if (paradigm.value && own.paradigm !== paradigm.value) return false;
  if (condition.value && own.condition !== condition.value) return false;
  if (checks.value.startsWith("code:") ? !own.codes.split(" ").includes(checks.value.slice(5)) : checks.value === "noted" ? own.status === "clear" : checks.value && own.status !== checks.value) return false;
  if (!words.length) return true;
  const label = item.textContent.toLowerCase();
  return words.every((word) => label.includes(word) || haystack(own.id).includes(word));
}

function filter() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean).map((word) => JSON.stringify(word).slice(1, -1));
  let number = 0;
  for (const item of items) {
    item.hidden = !fits(item, words);
    number += !item.hidden;
  }
  document.getElementById("found").textContent = number + " of " + items.length;
  document.getElementById("show-all").hidden = number === items.length;
  if (open) pane.querySelector(".steps").replaceWith(around(open.dataset.id));
}

let timer = 0;
text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
for (const choice of [paradigm, condition, checks]) choice.addEventListener("change", filter);
form.addEventListener("submit", (submit) => submit.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
for (const code of document.querySelectorAll("a[data-code]")) {
  code.addEventListener("click", () => {
    form.reset();
    checks.value = "code:" + code.dataset.code;
    setTimeout(filter);
  });
}
addEventListener("hashchange", route);
filter();
route();
