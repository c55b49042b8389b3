/**
 * A new booking: what is known of a caller fills the empty fields in, and takes the place of what it has filled in before. Its buttons fill
 * the open form in: without scripts each opens it again, with all that was typed in the address.
 */
// Where it does not load, the buttons open the form again.
import './htmx.esm.min.js';

const filled = new Map();

const read = () =>
  new Map([...document.querySelectorAll('#known data')].map((one) => [one.dataset.for, one.value]));

// The values that the page filled in by a registration; those of a chosen customer count as typed.
if (document.querySelector('#known [name="foundFor"]') !== null)
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

const carDetails = ['make', 'model', 'year', 'vin'];

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[formmethod="get"]') : null;
  if (button?.form?.id !== 'booking') return;
  const control = (name) => document.getElementById(name);
  const { date, time, rego } = button.dataset;
  if (button.name === 'at') {
    if (date === undefined) return;
    control('date').value = date;
    control('time').value = time;
    control('time').focus();
  } else if (button.name === 'car') {
    // Its details take the place of another car's.
    for (const name of carDetails) filled.set(name, control(name).value);
    control('rego').value = rego;
  }
  event.preventDefault();
  control('rego').dispatchEvent(new Event('change', { bubbles: true }));
});
