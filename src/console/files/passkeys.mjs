/** Asks the browser for a passkey when a form needs one, and sends its response with the form. */

const words = {
  NotAllowedError: 'No passkey was used. Try again, or take another way.',
  AbortError: 'No passkey was used. Try again, or take another way.',
  InvalidStateError: 'This device has a passkey for you already.',
  SecurityError: 'Passkeys do not work at this address.',
};

async function ask(kind, options) {
  if (kind === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function answer(form) {
  const { passkey, origin } = form.dataset;
  if (location.origin !== origin) return `Passkeys work at ${origin} alone: open the console there.`;
  if (typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function')
    return 'This browser has no passkeys, or is too old for them: update it, or take another way.';
  const response = await fetch(`${form.action}/options`, { method: 'POST', body: new URLSearchParams() });
  if (response.status === 429)
    return 'Passkeys were tried too often: wait a few minutes, or take another way.';
  // The sign-in is too old: the page itself redirects to it.
  if (response.redirected) return location.reload();
  if (!response.ok) return 'That did not work. Try again.';
  const credential = await ask(passkey, await response.json());
  form.elements.credential.value = JSON.stringify(credential.toJSON());
  form.submit();
  return '';
}

let isAsked = false;

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.dataset.passkey === undefined) return;
  event.preventDefault();
  if (isAsked) return;
  isAsked = true;
  const said = form.querySelector('[role=alert]');
  said.textContent = '';
  const text = await answer(form).catch((error) => words[error?.name] ?? 'That did not work. Try again.');
  isAsked = false;
  said.textContent = text ?? '';
  if (text) form.removeAttribute('aria-busy');
});
