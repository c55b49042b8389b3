/** The lines of a quote: after one was added, moved or removed, the focus goes on where the server says. */
document.addEventListener('htmx:after:swap', () => {
  const lines = document.querySelector('#lines[data-focus]');
  if (lines === null) return;
  document.getElementById(lines.dataset.focus)?.focus();
  delete lines.dataset.focus;
});
