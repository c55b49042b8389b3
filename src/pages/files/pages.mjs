/**
 * Makes pages quicker; none needs it. Links that are marked `data-swap` replace the part of the page that changes, and a form is
 * sent once, however often its button is pressed.
 */

const swapped = () => document.getElementById('swapped');

/** Shows the page of the address in place of the present one; false when it has to be opened in the usual way. */
async function swap(href) {
  const response = await fetch(href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return false;
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const part = next.getElementById('swapped');
  if (part === null) return false;
  document.title = next.title;
  swapped().replaceWith(part);
  return true;
}

/** Where the keyboard goes on: at the link of the same name, such as a day or an arrow, else at the start of the page. */
function focusAfter({ dataset }) {
  const same = dataset.swap && swapped().querySelector(`a[data-swap="${CSS.escape(dataset.swap)}"]`);
  if (same) return same.focus({ preventScroll: true });
  document.getElementById('main').focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}

document.addEventListener('click', async (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-swap]') : null;
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { href } = link;
  swapped().setAttribute('aria-busy', 'true');
  if (!(await swap(href))) return window.location.assign(href);
  history.pushState(null, '', href);
  focusAfter(link);
});

window.addEventListener('popstate', async () => {
  if (!(await swap(window.location.href))) window.location.reload();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.getAttribute('aria-busy') === 'true') event.preventDefault();
  else form.setAttribute('aria-busy', 'true');
});

// A page that the browser kept, when the visitor comes back to it.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) form.removeAttribute('aria-busy');
});
