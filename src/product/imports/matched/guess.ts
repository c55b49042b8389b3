/** Guesses what the columns of a file are, by words in their headings and by their first values, for somebody to confirm. */
import { lettersOf } from '#base/values/near-name.ts';
import { parsePhone } from '#base/values/phone.ts';
import { fieldsOfKind, type ImportField, type ImportKind, saidBy } from '../columns.ts';
import type { Matched } from './match.ts';

export interface SampledColumn {
  readonly heading: string;
  /** The first values that are not empty, on one line, shortened. */
  readonly samples: readonly string[];
}

/** Words of headings, with their fields: the first that stands in a heading counts. More particular ones first. */
const words: readonly (readonly [ImportField, RegExp])[] = [
  ['email', /mail/],
  ['optedOut', /opt|unsub|sms/],
  ['phone', /mob|cell|phone|^ph$|^tel|handy/],
  ['vin', /vin|chassis/],
  ['rego', /reg|plate/],
  ['firstName', /first|given|fore/],
  ['lastName', /surname|last|family/],
  ['company', /compan|business|organi|firm/],
  ['name', /name|customer|client|owner|driver|contact/],
  ['postcode', /post|zip/],
  ['suburb', /suburb|city|town/],
  ['address', /addr|street/],
  ['make', /make|brand|manufact/],
  ['model', /model/],
  ['year', /year/],
  ['badge', /badge|variant|series|trim/],
  ['tags', /tag|label|group/],
  ['status', /status|state/],
  ['dateTime', /datetime|start|when|appoint/],
  ['date', /date|day/],
  ['time', /time|hour/],
  ['services', /service|job|work|descr|task/],
  ['notes', /note|comment|remark/],
];

/** The fields that values alone tell, more particular ones first. */
const shapes: readonly (readonly [ImportField, (text: string, country: string) => boolean])[] = [
  ['email', (text) => /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(text)],
  ['vin', (text) => /^[A-HJ-NPR-Z0-9]{17}$/i.test(text) && /[A-Z]/i.test(text)],
  ['dateTime', (text) => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ T,]+\d{1,2}[:.]\d\d/.test(text)],
  ['date', (text) => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(text)],
  ['time', (text) => /^\d{1,2}[:.]\d\d( ?[ap]\.?m\.?)?$/i.test(text)],
  ['year', (text) => /^(?:19|20)\d\d$/.test(text)],
  ['phone', (text, country) => /^[\d+()./ -]{8,}$/.test(text) && parsePhone(text, country) !== null],
  ['rego', (text) => /^[A-Z0-9 ·.-]{4,9}$/i.test(text) && /\d/.test(text) && /[A-Z]/i.test(text)],
];

/** A guess of each column, each field once; a heading that is known wins. `country`: the workshop's, ISO 3166. */
export function guessMatched(kind: ImportKind, columns: readonly SampledColumn[], country: string): Matched {
  const fields: ReadonlySet<ImportField> = new Set(fieldsOfKind(kind));
  const said = saidBy(
    kind,
    columns.map(({ heading }) => heading),
  );
  const guesses = said.fields.map((field, n) => (n === said.alike?.[1] ? null : field));
  const taken = new Set(guesses.filter((field) => field !== null));
  const ways: readonly ((column: SampledColumn) => readonly ImportField[])[] = [
    ({ samples }) => byShape(samples, country, ['email', 'vin', 'phone', 'dateTime']),
    ({ heading }) => byWord(heading),
    ({ samples }) => byShape(samples, country, null),
  ];
  for (const way of ways)
    for (const [n, column] of columns.entries()) {
      if (guesses[n] !== null) continue;
      const guess = way(column).find((field) => fields.has(field) && !taken.has(field));
      if (guess === undefined) continue;
      guesses[n] = guess;
      taken.add(guess);
    }
  return guesses;
}

function byWord(heading: string): ImportField[] {
  return words.filter(([, form]) => form.test(lettersOf(heading))).map(([field]) => field);
}

function byShape(
  samples: readonly string[],
  country: string,
  of: readonly ImportField[] | null,
): ImportField[] {
  if (samples.length === 0) return [];
  const fits = shapes.filter(
    ([field, is]) => (of?.includes(field) ?? true) && samples.every((text) => is(text, country)),
  );
  return fits.map(([field]) => field);
}
