// The button that prints the report; without scripts the browser's own menu does.

for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", () => print());
}
