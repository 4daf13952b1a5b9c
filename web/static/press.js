// A long press on a token takes one away; the minus button beside it does the same.

const LONG_MS = 500;

let timer = 0;
let pressed = null;

function takeOf(target) {
  const take = target.closest?.("button.put")?.nextElementSibling;
  return take?.matches("button.take:not(:disabled)") ? take : null;
}

function onDown(event) {
  clearTimeout(timer);
  pressed = null;
  const take = takeOf(event.target);
  if (!take || event.button) return;
  timer = setTimeout(() => {
    pressed = take.previousElementSibling;
    take.form.requestSubmit(take);
  }, LONG_MS);
}

function onEnd() {
  clearTimeout(timer);
}

// The click that ends a long press is not a tap.
function onClick(event) {
  const put = event.target.closest?.("button.put");
  if (!put || put !== pressed) return;
  pressed = null;
  event.preventDefault();
  event.stopPropagation();
}

function onMenu(event) {
  if (takeOf(event.target)) event.preventDefault();
}

export function start() {
  document.addEventListener("pointerdown", onDown);
  for (const name of ["pointerup", "pointercancel", "scroll"]) {
    document.addEventListener(name, onEnd, { passive: true, capture: true });
  }
  document.addEventListener("click", onClick, { capture: true });
  document.addEventListener("contextmenu", onMenu);
}
