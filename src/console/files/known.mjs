/** A new booking: what is known of a caller fills the empty fields in, and takes the place of what it has filled in before. */
const filled = new Map();

document.addEventListener('htmx:after:swap', () => {
  const known = document.getElementById('known');
  if (known === null) return;
  const found = new Map([...known.querySelectorAll('data')].map((one) => [one.dataset.for, one.value]));
  for (const name of [...filled.keys(), ...found.keys()]) {
    const control = document.getElementById(name);
    const isOurs = control !== null && (control.value === '' || control.value === filled.get(name));
    if (!isOurs || control === document.activeElement) continue;
    const value = found.get(name) ?? '';
    control.value = value;
    filled.set(name, value);
  }
});
