/**
 * Makes pages quicker; they work without it. Links that are marked `data-swap` replace the part of the page that changes, and a
 * form is sent once, however often its button is pressed.
 */

const swapped = () => document.getElementById('swapped');

/** The number of the latest swap: only the response to the last request is shown. */
let latest = new AbortController();

/**
 * Shows the page of the address in place of the present one, unless another is requested meanwhile, or the browser has to open it.
 */
async function swap(href) {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  const response = await fetch(href, { headers: { accept: 'text/html' }, signal }).catch(() => null);
  const text = response?.ok ? await response.text().catch(() => null) : null;
  if (signal.aborted) return 'superseded';
  const next = text === null ? null : new DOMParser().parseFromString(text, 'text/html');
  const part = next?.getElementById('swapped');
  if (!part) return 'failed';
  document.title = next.title;
  swapped().replaceWith(part);
  document.dispatchEvent(new Event('pages:swapped'));
  return 'shown';
}

/**
 * Moves the focus to the link of the same name, such as a day or an arrow, else to the start of the page. Scrolls to the element
 * that a link's fragment names.
 */
function focusAfter({ dataset, hash }) {
  const same = dataset.swap && swapped().querySelector(`a[data-swap="${CSS.escape(dataset.swap)}"]`);
  if (same) {
    same.focus({ preventScroll: true });
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'nearest' });
    return;
  }
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
  const outcome = await swap(href);
  if (outcome === 'failed') return window.location.assign(href);
  if (outcome === 'superseded') return;
  history.pushState(null, '', href);
  focusAfter(link);
});

window.addEventListener('popstate', async () => {
  if ((await swap(window.location.href)) === 'failed') window.location.reload();
});

const lookEveryMs = 60_000;
/** An hour. */
let looksLeft = 60;

/** Shows the page as it is now, where others have changed what it shows. */
async function look() {
  const { state } = swapped()?.dataset ?? {};
  if (!state || document.hidden || looksLeft === 0 || document.querySelector('[aria-busy="true"]')) return;
  looksLeft--;
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(location.pathname, { headers: { accept: 'text/html' }, signal }).catch(
    () => null,
  );
  const text = response?.ok ? await response.text().catch(() => '') : '';
  const next = new DOMParser().parseFromString(text, 'text/html');
  const part = next.getElementById('swapped');
  // A form may have been sent meanwhile, or another part shown.
  const isSame = swapped().dataset.state === state && !document.querySelector('[aria-busy="true"]');
  if (!isSame || !part?.dataset.state || part.dataset.state === state) return;
  document.title = next.title;
  swapped().replaceWith(part);
  history.replaceState(null, '', location.pathname);
  document.getElementById('main').focus({ preventScroll: true });
}

setInterval(look, lookEveryMs);
document.addEventListener('visibilitychange', look);

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.getAttribute('aria-busy') === 'true') event.preventDefault();
  else form.setAttribute('aria-busy', 'true');
});

// A page that the browser kept, when the visitor comes back to it.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) form.removeAttribute('aria-busy');
});

// Where a form was refused, browsers that take `autofocus` on fields alone get it here.
if (!('autofocus' in HTMLElement.prototype)) document.querySelector('.notice[autofocus]')?.focus();
