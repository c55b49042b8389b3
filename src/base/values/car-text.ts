/** A car as its owner knows it. */
import { regoShownBy, someCar, withoutLinks } from './callers-links.ts';

export interface ShownCar {
  readonly rego: string;
  readonly make: string | null;
  readonly model: string | null;
}

/** `Toyota Corolla (1AB2CD)`; `car` where nothing of it is known. What is no rego but a link or a phone is left out. */
export function carText(car: ShownCar | null): string {
  if (car === null) return 'car';
  const model = withoutLinks([car.make, car.model].filter(Boolean).join(' '));
  const rego = regoShownBy('sms', car.rego);
  if (rego === someCar) return model || 'car';
  return model === '' ? `car ${rego}` : `${model} (${rego})`;
}
