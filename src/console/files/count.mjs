/** The count of segments beside a text that is being typed. */
import { countText } from './segments.mjs';

document.addEventListener('input', ({ target }) => {
  const around = target.closest('[data-count]');
  if (around !== null && target.localName === 'textarea')
    around.querySelector('[data-segments]').textContent = countText(target.value, around.dataset.count);
});
