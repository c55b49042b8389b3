/** A quote as its customer sees it, without the phones and e-mails that the person at the console may not see. */
import type { Quote } from '#product/quotes/schema.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

export function offeredTo({ workshop }: WorkshopVisit, quote: Quote): Quote {
  const shown = (text: string | null) => (text === null ? null : textShown(text, workshop));
  const { car, services, lines, message } = quote;
  return {
    ...quote,
    car: { ...car, make: shown(car.make), model: shown(car.model) },
    services: services.map((item) => ({ ...item, title: shown(item.title) })),
    lines: lines.map((line) => ({ ...line, title: textShown(line.title, workshop) })),
    message: shown(message),
  };
}
