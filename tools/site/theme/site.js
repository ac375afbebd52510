// Keyboard and screen readers: what the renderers leave out.
document.addEventListener("DOMContentLoaded", () => {
  // A link that acts as a button also answers to Space, and to Enter where it has no address.
  document.querySelectorAll('a[role="button"]').forEach((link) => link.addEventListener("keydown", (event) => {
    if (event.key === " " || (event.key === "Enter" && !link.getAttribute("href"))) { event.preventDefault(); link.click(); }
  }));
  const toggle = document.querySelector(".quarto-color-scheme-toggle");
  if (toggle) {
    toggle.setAttribute("role", "button");
    toggle.setAttribute("aria-label", "Light or dark");
  }
  // Wide equations can be scrolled by keyboard once they are wider than their box.
  const scrollable = () => document.querySelectorAll(".katex-display, .cell-output-markdown, .equation p").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) { box.tabIndex = 0; if (!box.hasAttribute("role")) { box.setAttribute("role", "group"); box.setAttribute("aria-label", "Wide content"); } }
  });
  window.addEventListener("load", scrollable);
  window.addEventListener("resize", scrollable);
});
