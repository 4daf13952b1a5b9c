// The live picture of the tray: loaded beside the old one and swapped when complete,
// only while somebody can see it.

const LOOK_MS = 250;

let busy = false;
let last = 0;

function isSeen(image) {
  if (document.hidden) return false;
  const box = image.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}

async function look() {
  const image = document.getElementById("tray-picture");
  if (!image || busy || !isSeen(image)) return;
  if (Date.now() - last < Number(image.dataset.live)) return;
  busy = true;
  last = Date.now();
  const fresh = new Image();
  fresh.src = `/tray.jpg?at=${last}`;
  try {
    await fresh.decode();
    const now = document.getElementById("tray-picture");
    if (now) now.src = fresh.src;
  } catch {
    // No picture just now; the next look may find one.
  } finally {
    busy = false;
  }
}

export function start() {
  setInterval(look, LOOK_MS);
}
