// Results read out by the browser's own voice, on devices whose owner asked for it.

const KEY = "dicelight-voice";

let said = null;

function wanted() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

function keep(on) {
  try {
    if (on) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Not remembered; there is nothing else to do.
  }
}

function result() {
  if (!document.getElementById("result-word")) return "";
  return document.getElementById("say")?.textContent.trim() ?? "";
}

function speak(text) {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// What stood there when the page was opened has been seen already.
function onChange() {
  showSwitch();
  const text = result();
  const fresh = said !== null && text && text !== said;
  said = text;
  if (fresh && wanted()) speak(text);
}

function showSwitch() {
  const button = document.querySelector("[data-voice]");
  if (!button) return;
  button.closest("[data-voice-row]").hidden = false;
  const pressed = String(wanted());
  if (button.getAttribute("aria-pressed") !== pressed) {
    button.setAttribute("aria-pressed", pressed);
  }
}

function onClick(event) {
  const button = event.target.closest?.("[data-voice]");
  if (!button) return;
  keep(!wanted());
  showSwitch();
  if (wanted()) speak(button.textContent.trim());
}

export function start() {
  if (!("speechSynthesis" in globalThis)) return;
  onChange();
  document.addEventListener("click", onClick);
  new MutationObserver(onChange).observe(document.getElementById("page"), {
    childList: true,
    characterData: true,
    subtree: true,
    attributeFilter: ["hidden", "aria-pressed"],
  });
}
