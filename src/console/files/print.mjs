/** The button Print of a sheet; without it the browser's own does the same. */
document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]')) print();
});
