/** Reads fields of untrusted input, which may have any shape. */
import type { CallbackRequest } from './gateway.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object; null when the text is not a JSON object. */
export function jsonFields(text: string): Fields | null {
  const value = jsonValue(text);
  return isFields(value) ? value : null;
}

/** The objects of a list; other items are left out. Empty when the value is no list. */
export function listIn(fields: Fields, name: string): readonly Fields[] {
  const list = fields[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** A text, or a number as text; null when it is absent or empty. Removes NUL, which PostgreSQL cannot store. */
export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.replaceAll('\0', '') || null : null;
}

/**
 * The records of a callback. A JSON body holds one object, an array of objects, or an array under one of `names`; any other body
 * is a form; without a body, the query is the record. Null when the body cannot be read.
 */
export function recordsOf(
  { url, body }: CallbackRequest,
  lists: readonly string[],
): readonly Fields[] | null {
  const text = body.toString().trim();
  if (text === '') return [formFields(queryOf(url))];
  if (!/^[[{]/.test(text)) return [formFields(text)];
  const value = jsonValue(text);
  if (Array.isArray(value)) return value.filter(isFields);
  if (!isFields(value)) return null;
  const name = lists.find((list) => Array.isArray(value[list]));
  return name === undefined ? [value] : listIn(value, name);
}

export const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

const formFields = (text: string): Fields => Object.fromEntries(new URLSearchParams(text));

/** True for a JSON object or array. */
export function isJson(text: string): boolean {
  const value = jsonValue(text);
  return typeof value === 'object' && value !== null;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A customer's text, with a line that counts its attachments. */
export function withAttachments(body: string, count: number): string {
  if (!(count > 0)) return body;
  return `${body}\n[${count === 1 ? '1 attachment' : `${count} attachments`}]`.trimStart();
}

/** Adds the `+` that some gateways leave out of international numbers. Short codes and names stay as they are. */
export const withPlus = (address: string) => (/^[1-9]\d{9,14}$/.test(address) ? `+${address}` : address);
