/** Reads a quote that staff type: fields of POST /quotes, without the need of an e-mail address. */
import { Type } from 'typebox';
import type { FieldError } from '#errors.ts';
import type { Database } from '#platform/db/database.ts';
import { email, optional } from '#platform/http/fields.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { valueReader } from '#platform/http/validation.ts';
import { typedFaults, typedServices } from '#product/bookings/staff/typed.ts';
import { CreateQuoteBody } from '../schema.ts';

/** As typed. An empty text counts as absent. */
export interface TypedQuote {
  readonly customerName: string;
  readonly customerPhone: string;
  readonly customerEmail?: string;
  readonly carRego: string;
  readonly carMake?: string;
  readonly carModel?: string;
  readonly notes?: string;
}

const readQuote = valueReader(
  Type.Object({ ...CreateQuoteBody.properties, customerEmail: optional(email()) }),
  'quote',
);

export interface ReadQuote {
  readonly body: CreateQuoteBody;
  /** E.164. */
  readonly phone: string | null;
  /** One for each bad field; `service` for the services. */
  readonly errors: readonly FieldError[];
}

/** `service`: codes of the workshop's catalogue, or titles; at least one. `country`: the workshop's. */
export async function readTypedQuote(
  db: Database,
  { workshopId, country }: { readonly workshopId: string; readonly country: string },
  typed: TypedQuote,
  service: readonly string[],
): Promise<ReadQuote> {
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''));
  const { customerPhone } = typed;
  const services = await typedServices(db, workshopId, service);
  const sent = { ...given, customerPhone, workshopId, services, skipNotification: true };
  const { value, errors } = readQuote(sent);
  const { phone, found } = await judgePhone('customerPhone', customerPhone, async () => country);
  const wrong = [...typedFaults(errors), ...found].filter(
    ({ field }, n, all) => all.findIndex((each) => each.field === field) === n,
  );
  const body = { ...(value as CreateQuoteBody), customerEmail: given['customerEmail'] ?? '' };
  return { body, phone, errors: wrong };
}
