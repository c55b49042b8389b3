/** The dialog that lists the keys; it is fetched when somebody first asks for it. */

const keys = [
  ['/', 'Find'],
  ['j', 'Next conversation of the list, or next message'],
  ['k', 'The one before'],
  ['Enter', 'Open what is focused'],
  ['e', 'Done, with the open conversation'],
  ['?', 'These keys'],
  ['Esc', 'Close what is open'],
];

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function made() {
  const rows = keys.flatMap(([key, does]) => [
    element('dt', {}, element('kbd', {}, key)),
    element('dd', {}, does),
  ]);
  const close = element('button', { className: 'button quiet', type: 'button', autofocus: true }, 'Close');
  const settings = element('a', { href: '/console/me' }, 'Your settings');
  const dialog = element(
    'dialog',
    { id: 'keys' },
    element('h2', { id: 'keys-title' }, 'Keys'),
    element('dl', { className: 'keys' }, ...rows),
    element('p', { className: 'quiet' }, 'Single keys are turned off under ', settings, '.'),
    close,
  );
  dialog.setAttribute('aria-labelledby', 'keys-title');
  close.addEventListener('click', () => dialog.close());
  document.body.append(dialog);
  return dialog;
}

/** The focus goes back to where it was once it is closed. */
export const showKeys = () => (document.getElementById('keys') ?? made()).showModal();
