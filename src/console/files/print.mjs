/** The button Print of a sheet; without scripts people print with the browser's own command. */
document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]')) print();
});
