// Commands without leaving the page. Each intent has one id: pressed twice, or sent
// again after the network failed, it is carried out once.

import { randomId } from "./live.js";
import { ask, go, refresh, say } from "./screen.js";

const intents = new WeakMap();

function contentOf(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.set(submitter.name, submitter.value);
  data.delete("id");
  return data;
}

function intent(form, data) {
  const content = new URLSearchParams(data).toString();
  const known = intents.get(form);
  if (known?.content === content) return known;
  const made = { content, id: randomId(), sending: false };
  intents.set(form, made);
  return made;
}

async function send(form, submitter) {
  const data = contentOf(form, submitter);
  const doing = intent(form, data);
  if (doing.sending) return;
  doing.sending = true;
  data.set("id", doing.id);
  say("");
  form.classList.add("sending");
  try {
    const response = await ask(form.action, {
      method: "POST",
      body: new URLSearchParams(data),
      headers: { "X-Dicelight": "1" },
    });
    intents.delete(form); // answered: the next press is a new intent
    if (response.ok) await after(form);
    else {
      const answer = await response.json().catch(() => ({}));
      say(answer.error?.message || document.body.dataset.failed);
      await refresh();
    }
  } catch {
    say(document.body.dataset.failed);
  } finally {
    doing.sending = false;
    form.classList.remove("sending");
  }
}

async function after(form) {
  if (form.dataset.then) await go(form.dataset.then);
  else await refresh();
}

function onSubmit(event) {
  const form = event.target;
  if (form.method !== "post" || "plain" in form.dataset) return;
  event.preventDefault();
  send(form, event.submitter);
}

function onClick(event) {
  const link = event.target.closest?.("a[href]");
  if (link && isPanel(link, event)) {
    event.preventDefault();
    say("");
    go(link.getAttribute("href")); // an SVG link has no plain href property
    return;
  }
  const step = event.target.closest?.("button[data-step]");
  if (step) stepBy(document.getElementById(step.dataset.for), Number(step.dataset.step));
}

// Links to another state of the same screen; anything else is a normal visit.
function isPanel(link, event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey) {
    return false;
  }
  const href = link.getAttribute("href");
  if (href.startsWith("#")) return false; // a place on this screen
  const url = new URL(href, location.href);
  return (
    url.origin === location.origin &&
    url.pathname === location.pathname &&
    ["/now", "/units"].includes(url.pathname)
  );
}

function stepBy(input, by) {
  const value = Number(input.value || 0) + by;
  const clamp = (x) => Math.min(Number(input.max), Math.max(Number(input.min), x));
  input.value = String(clamp(value));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function onInput(event) {
  const { mirror } = event.target.dataset;
  if (mirror) document.getElementById(mirror).value = event.target.value;
  sumUp(event.target.form);
}

// How many sides, dice, points a form's numbers come to.
function sumUp(form) {
  const shown = form?.querySelector("output[data-sum]");
  if (!shown) return;
  const numbers = [...form.querySelectorAll(`[name^="${shown.dataset.sum}"]`)];
  shown.value = String(numbers.reduce((sum, one) => sum + Number(one.value || 0), 0));
}

export function start() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("click", onClick);
  document.addEventListener("input", onInput);
}
