// Makes the page look like a freshly rendered one while keeping what the reader is
// doing: focus, open details, half-filled forms, pictures already loaded.

// Attributes that belong to the reader, not to the server.
const READERS_OWN = { DETAILS: "open" };

// Not `node.id`: a form's field called "id" would answer in its place.
function nameOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  return `${node.getAttribute("id") || ""} ${node.dataset.keep || ""}`.trim();
}

function same(a, b) {
  return a.nodeName === b.nodeName && nameOf(a) === nameOf(b);
}

function copyAttributes(from, to) {
  const own = READERS_OWN[to.nodeName];
  for (const { name } of [...to.attributes]) {
    if (name !== own && !from.hasAttribute(name)) to.removeAttribute(name);
  }
  for (const { name, value } of from.attributes) {
    if (name !== own && to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
}

// What may be skipped over to find the same thing again: space, and what is gone.
function isPassing(node, wanted) {
  if (node.nodeType === Node.TEXT_NODE) return !node.nodeValue.trim();
  return nameOf(node) !== "" && !wanted.has(nameOf(node));
}

function isLivePicture(node) {
  return node.nodeName === "IMG" && "live" in node.dataset;
}

function morphNode(to, from) {
  if (to.nodeType !== Node.ELEMENT_NODE) {
    if (to.nodeValue !== from.nodeValue) to.nodeValue = from.nodeValue;
    return;
  }
  if (to.dataset?.keep) return; // a form the reader may be filling in
  if (isLivePicture(to)) {
    to.dataset.live = from.dataset.live; // its picture is refreshed elsewhere
    return;
  }
  copyAttributes(from, to);
  morphChildren(to, from);
}

export function morphChildren(to, from) {
  const wanted = new Set([...from.childNodes].map(nameOf));
  let old = to.firstChild;
  for (const fresh of [...from.childNodes]) {
    let match = old;
    let isFar = false;
    while (match && !same(match, fresh)) {
      isFar ||= !isPassing(match, wanted);
      match = match.nextSibling;
    }
    // Looking further than the next sibling is only worth it for named things.
    if (match && isFar && !nameOf(fresh)) match = null;
    if (!match) {
      to.insertBefore(fresh, old);
      continue;
    }
    while (old !== match) {
      const gone = old;
      old = old.nextSibling;
      gone.remove();
    }
    morphNode(match, fresh);
    old = match.nextSibling;
  }
  while (old) {
    const gone = old;
    old = old.nextSibling;
    gone.remove();
  }
}
