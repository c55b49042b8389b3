/** A car as its owner knows it. */
import { regoShownBy, someCar, withoutLinks } from './callers-links.ts';

export interface ShownCar {
  readonly rego: string;
  readonly make: string | null;
  readonly model: string | null;
}

/** `Toyota Corolla (1AB2CD)` on a page, where nothing becomes a link; what is not known is left out, down to an empty text. */
export function carOnPage({
  rego,
  make,
  model,
}: { readonly [Name in keyof ShownCar]: string | null }): string {
  const name = [make, model].filter(Boolean).join(' ');
  if (rego === null) return name;
  return name === '' ? rego : `${name} (${rego})`;
}

/** `Toyota Corolla (1AB2CD)`; `car` where nothing of it is known. What is no rego but a link or a phone is left out. */
export function carText(car: ShownCar | null): string {
  if (car === null) return 'car';
  const model = withoutLinks([car.make, car.model].filter(Boolean).join(' '));
  const rego = regoShownBy('sms', car.rego);
  if (rego === someCar) return model || 'car';
  return model === '' ? `car ${rego}` : `${model} (${rego})`;
}
