/** From request fields to what the store writes; shared by create and update. */
import { type FieldError, Problem } from '#errors.ts';
import { parseInstant } from '#values/instant.ts';
import { splitName } from '#values/person-name.ts';
import type { ServiceItemInput } from './schema.ts';

/** The instant of a field whose form the schema has checked. */
export function instantOf(text: string): Date {
  const date = parseInstant(text);
  if (date === null) throw new Problem('000001');
  return date;
}

/** Service items with every field present (document, 2.4). */
export function serviceItems(services: readonly ServiceItemInput[] | null | undefined): object[] {
  return (services ?? []).map((item) => ({
    catalogCode: item.catalogCode ?? null,
    title: item.title ?? null,
    category: item.category ?? null,
    cost: item.cost ?? null,
    maxCost: item.maxCost ?? null,
  }));
}

/** The same as JSON text. */
export function servicesJson(services: readonly ServiceItemInput[]): string {
  return JSON.stringify(serviceItems(services));
}

export function contactName(name: string) {
  const { firstName, lastName } = splitName(name);
  return { contactName: name, contactFirstName: firstName, contactLastName: lastName };
}

export function invalidPhone(field: string, country: string): FieldError {
  return {
    field,
    message: `must be a valid phone number in ${country}, or one with its country code such as +61 400 000 001`,
  };
}
