/**
 * Forms that have been typed in, or have the focus: an update leaves them as they are, with the version that their sender has
 * seen.
 */

function isChosenAnew({ options, selectedIndex }) {
  const usual = [...options].findIndex(({ defaultSelected }) => defaultSelected);
  return selectedIndex !== Math.max(0, usual);
}

function isTyped(control) {
  if (control.type === 'hidden') return false;
  if (control.localName === 'select') return isChosenAnew(control);
  if (control.type === 'checkbox' || control.type === 'radio')
    return control.checked !== control.defaultChecked;
  return control.defaultValue !== undefined && control.value !== control.defaultValue;
}

/** The server has returned what was typed: a preview, or one more line. */
const isDraft = (form) => form.querySelector('[data-typed]') !== null;

const hasCaret = (form) =>
  document.activeElement.matches('input, select, textarea') && form.contains(document.activeElement);

export const typedForms = (main) =>
  [...main.querySelectorAll('form')].filter(
    (form) => hasCaret(form) || isDraft(form) || [...form.elements].some(isTyped),
  );

export const versionOf = (form) => form.querySelector('input[name="version"]')?.value;
