/** A new booking: what is known of a caller fills the empty fields in, and takes the place of what it has filled in before. */
const filled = new Map();

const read = () =>
  new Map([...document.querySelectorAll('#known data')].map((one) => [one.dataset.for, one.value]));

// What the page itself was filled in with.
for (const [name, value] of read())
  if (document.getElementById(name)?.value === value) filled.set(name, value);

document.addEventListener('htmx:after:swap', () => {
  if (document.getElementById('known') === null) return;
  const found = read();
  for (const name of [...filled.keys(), ...found.keys()]) {
    const control = document.getElementById(name);
    const isOurs = control !== null && (control.value === '' || control.value === filled.get(name));
    const value = found.get(name) ?? '';
    if (!isOurs || control.value === value) continue;
    control.value = value;
    filled.set(name, value);
    // Whoever has gone on to this field types over it.
    if (control === document.activeElement) control.select();
  }
});
