/** From request fields to what the store writes; shared by create and update. */
import { Problem } from '#errors.ts';
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
