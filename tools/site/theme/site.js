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
  // The list of pages begins where the reader is: when a page opens, and when the panel is opened on a phone.
  const sidebar = document.getElementById("quarto-sidebar");
  const current = sidebar && sidebar.querySelector(".sidebar-link.active");
  const follow = () => {
    if (!current) return;
    const box = sidebar.getBoundingClientRect(), link = current.getBoundingClientRect();
    if (link.top < box.top || link.bottom > box.bottom - 40) sidebar.scrollTop += link.top - box.top - box.height / 3;
  };
  follow();
  document.querySelectorAll(".quarto-btn-toggle").forEach((button) => button.addEventListener("click", follow));
  // Wide equations can be scrolled by keyboard once they are wider than their box.
  const scrollable = () => document.querySelectorAll(".katex-display, .cell-output-markdown, .equation p").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) { box.tabIndex = 0; if (!box.hasAttribute("role")) { box.setAttribute("role", "group"); box.setAttribute("aria-label", "Wide content"); } }
  });
  // A box that can be scrolled sideways shows at which side it goes on.
  const goesOn = (box) => {
    box.classList.toggle("goes-on-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    box.classList.toggle("goes-on-left", box.scrollLeft > 2);
  };
  const boxes = () => document.querySelectorAll(".cell-output pre, .picture, .table-scroll, .cell-output-markdown, .katex-display");
  const look = () => { scrollable(); boxes().forEach((box) => { if (!box.dataset.watched) { box.dataset.watched = "1"; box.addEventListener("scroll", () => goesOn(box), { passive: true }); } goesOn(box); }); };
  window.addEventListener("load", look);
  window.addEventListener("resize", look);
});
