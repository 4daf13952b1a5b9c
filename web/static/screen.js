// The screen: fetched as rendered by the server, morphed in, remembered in the address.

import { morphChildren } from "./morph.js";

const page = document.getElementById("page");
const offline = document.getElementById("offline");
const notice = document.getElementById("notice");

const PATIENCE_MS = 5000;
const MOVED_MS = 8000; // not connected for so long: say where else the table may be

let wanted = 0;
let running = null;
let again = false;
let later = 0;
let moved = 0;

export const heard = { onAlive: () => {} };

export function version() {
  return page.dataset.version;
}

export function seq() {
  return page.dataset.seq;
}

export function showOffline(isOffline) {
  offline.hidden = !isOffline;
  document.body.classList.toggle("stale", isOffline);
  const elsewhere = document.getElementById("elsewhere");
  if (!elsewhere) return;
  if (!isOffline) {
    clearTimeout(moved);
    moved = 0;
    elsewhere.hidden = true;
  } else if (!moved) moved = setTimeout(() => (elsewhere.hidden = false), MOVED_MS);
}

export function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

// fetch() with an end: a phone that wakes up holds connections that never answer.
export async function ask(url, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  try {
    return await fetch(url, { ...options, signal: stop.signal, cache: "no-store" });
  } finally {
    clearTimeout(timer);
  }
}

async function load() {
  const mine = ++wanted;
  const response = await ask(location.href, {
    headers: { "X-Dicelight-Fragment": "1" },
  });
  if (response.redirected) {
    location.assign(response.url); // no longer joined
    return;
  }
  const text = await response.text();
  if (mine !== wanted) return;
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const freshPage = fresh.getElementById("page");
  if (!freshPage) throw new Error();
  for (const name of ["version", "seq"]) page.dataset[name] = freshPage.dataset[name];
  morphChildren(page, freshPage);
  heard.onAlive();
}

// Some screens change without news from the table: a photograph is on its way, the
// camera is being set up. They say after how many milliseconds to look again.
export function lookAgain() {
  clearTimeout(later);
  const waits = page.querySelector("[data-again]");
  if (!waits) return;
  later = setTimeout(() => document.hidden || refresh(), Number(waits.dataset.again));
}

// Fetches and shows the screen; calls made meanwhile share one more fetch.
export async function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = (async () => {
    try {
      do {
        again = false;
        await load();
      } while (again);
      return true;
    } catch {
      return false;
    } finally {
      running = null;
      lookAgain();
    }
  })();
  return running;
}

// Another address of the same screen (a panel opens), without leaving the page.
export async function go(url, { push = false } = {}) {
  history[push ? "pushState" : "replaceState"](null, "", url);
  wanted++;
  if (running) await running;
  if (!(await refresh())) location.assign(url);
  const target = page.querySelector("[data-focus]");
  if (target) {
    target.focus({ preventScroll: true });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }
}
