/** A button that copies each block of code. Browsers have a clipboard on https and on this machine only: elsewhere there is no button. */

function buttonFor(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(code.textContent).then(
      () => 'Copied',
      () => 'Not copied',
    );
    button.textContent = done;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  return button;
}

if (navigator.clipboard)
  for (const code of document.querySelectorAll('.prose pre > code')) code.before(buttonFor(code));
