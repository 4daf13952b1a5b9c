// News from the table. One stream a browser: the visible tab that holds the lease
// listens and tells the others; a hidden tab listens to nothing and catches up.
//
// Plain HTTP has no Web Locks, so the lease is a line in localStorage.

import { ask, heard, lookAgain, refresh, seq, showOffline, version } from "./screen.js";

const LEASE = "dicelight-stream";
const LEASE_MS = 4000;
const TICK_MS = 1000;
const POLL_MS = 4000;
const BROKEN_MS = 2500; // long enough for a server that restarts at once

const body = document.body;
const silenceMs = Number(body.dataset.silenceS || 21) * 1000;
const me = randomId();

let source = null;
let lastSign = Date.now();
let lastPoll = 0;
let refusedUntil = 0;
let brokenSince = 0; // the browser itself has noticed that the line is down

export function randomId() {
  // crypto.randomUUID needs a secure context; getRandomValues does not.
  const bytes = new Uint8Array(16);
  if (globalThis.crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else bytes.forEach((_, at) => (bytes[at] = Math.floor(Math.random() * 256)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const channel =
  "BroadcastChannel" in globalThis ? new BroadcastChannel("dicelight") : null;

function readLease() {
  try {
    return JSON.parse(localStorage.getItem(LEASE)) || {};
  } catch {
    return {};
  }
}

function holdLease() {
  if (!channel) return true; // no way to tell the others: each listens for itself
  const lease = readLease();
  if (lease.id && lease.id !== me && lease.until > Date.now()) return false;
  try {
    localStorage.setItem(LEASE, JSON.stringify({ id: me, until: Date.now() + LEASE_MS }));
  } catch {
    return true;
  }
  return readLease().id === me;
}

function dropLease() {
  if (readLease().id === me) localStorage.removeItem(LEASE);
}

function alive() {
  brokenSince = 0;
  lastSign = Date.now();
  showOffline(false);
}

heard.onAlive = alive;

function concerns(news) {
  if (news.version === version()) return false;
  // Only "Now" and the rulers show what is not yet in the log: the live tray, parts.
  return news.seq !== Number(seq()) || !/^\/(log|units)/.test(location.pathname);
}

function take(news) {
  alive();
  if (concerns(news)) refresh();
}

function hear(event) {
  const news = JSON.parse(event.data);
  channel?.postMessage(news);
  take(news);
}

function open() {
  close();
  const since = encodeURIComponent(version());
  source = new EventSource(`${body.dataset.stream}?since=${since}`);
  source.addEventListener("change", hear);
  source.addEventListener("heartbeat", hear);
  source.addEventListener("bye", (event) => {
    close();
    if (JSON.parse(event.data).gone) refresh(); // removed: leads to joining
    refusedUntil = Date.now() + POLL_MS;
  });
  source.onerror = () => {
    brokenSince ||= Date.now();
    // CLOSED means refused (a full house): ask now and then instead.
    if (source?.readyState === EventSource.CLOSED) {
      close();
      refusedUntil = Date.now() + POLL_MS;
    }
  };
}

function close() {
  source?.close();
  source = null;
}

async function poll() {
  lastPoll = Date.now();
  try {
    const response = await ask("/health");
    if (!response.ok) return;
    await refresh();
  } catch {
    // The watchdog says so when it has been silent long enough.
  }
}

function tick() {
  if (document.hidden) return;
  const now = Date.now();
  const mine = holdLease();
  if (mine && !source && now >= refusedUntil) open();
  if (!mine && source) close();
  if (now - lastSign > silenceMs) {
    showOffline(true);
    if (mine) open();
    lastSign = now - silenceMs + TICK_MS * 3; // try again in three seconds
  }
  if (brokenSince && now - brokenSince > BROKEN_MS) showOffline(true);
  const deaf = mine ? !source : now - lastSign > silenceMs / 2;
  if ((deaf || !offlineHidden()) && now - lastPoll > POLL_MS) poll();
}

function offlineHidden() {
  return document.getElementById("offline").hidden;
}

// After sleep a stream is dead without any error: throw it away and look again.
async function wake() {
  if (document.hidden) {
    close();
    dropLease();
    return;
  }
  refusedUntil = 0;
  lastSign = Date.now();
  if (holdLease()) open();
  if (!(await refresh())) showOffline(true);
}

export function start() {
  if (!body.dataset.stream) return;
  channel?.addEventListener("message", ({ data }) => take(data));
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("online", wake);
  addEventListener("pagehide", () => {
    close();
    dropLease();
  });
  // A frozen page thaws with its clock far ahead.
  let before = Date.now();
  setInterval(() => {
    const now = Date.now();
    const slept = now - before > TICK_MS * 3;
    before = now;
    if (slept && !document.hidden) wake();
    else tick();
  }, TICK_MS);
  tick();
  lookAgain();
}
