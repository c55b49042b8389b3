/** Forms of pages: reads their fields, and checks that they come from our page. */
import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { parseInstant } from '#base/values/instant.ts';
import { normaliseString } from '#base/values/text.ts';
import { Problem } from '#errors.ts';

/** The fields of a form or a query: of a repeated one the first. Trimmed, in NFC, line breaks as LF: browsers send CRLF, and count it as one character. */
export type Form = Readonly<Record<string, string>>;

export const formAtMostBytes = 32 * 1024;
/** A quote has a hundred lines of three fields each. */
const fieldsAtMost = 400;

export function readForm(text: string): Form {
  return fieldsOf(parse(text, '&', '=', { maxKeys: fieldsAtMost }));
}

/** The query of a page. */
export function queryOf({ query }: FastifyRequest): Form {
  return fieldsOf(query as Readonly<Record<string, unknown>>);
}

/** The first of each. */
export function fieldsOf(given: Readonly<Record<string, unknown>>): Form {
  const fields = Object.entries(given).map(([name, value]) => {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return [
      name,
      normaliseString(String(first ?? ''))
        .replaceAll('\0', '')
        .replace(/\r\n?/g, '\n'),
    ];
  });
  // A field may be called __proto__: defining it is not assigning it.
  return Object.fromEntries(fields);
}

/** The version that a form was made for; undefined when it names none. */
export const versionOf = ({ version = '' }: Form): number | undefined =>
  /^\d{1,9}$/.test(version) ? Number(version) : undefined;

/** A date `YYYY-MM-DD` that exists; else undefined. */
export function readDate(text: string | undefined): string | undefined {
  const isDate = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);
  return isDate && parseInstant(`${text}T00:00:00Z`) !== null ? text : undefined;
}

/**
 * Refuses a form that another site sends (403). Pages have no cookies, so it could do no more than its sender; this keeps a site
 * from sending forms in its visitors' names all the same. Our pages send no referrer, so their `Origin` is `null`: where the
 * browser does not say which site a form is from, only an address that is not ours tells.
 */
export function requireSameOrigin({ headers, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOurs =
    site === undefined
      ? origin === undefined || origin === 'null' || hostOf(origin) === host
      : site === 'same-origin';
  if (!isOurs) throw new Problem('000003', { message: 'This form was sent from another site.' });
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null);
