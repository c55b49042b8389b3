/** Time zones by their names, as IANA lists them. */

import { distance } from 'fastest-levenshtein';
import { ownValue } from './own-value.ts';

/**
 * PostgreSQL takes these for abbreviations of one offset all the year, where IANA's zones of these names have daylight saving.
 */
const abbreviations = new Set(['CET', 'EET', 'MET', 'WET']);

/**
 * True for a name that Temporal takes, written as in IANA's list: `Australia/Sydney`, `UTC`. False for offsets, which have no daylight
 * saving, and for what only `Intl` knows (`AET`, `IST`). Whether PostgreSQL takes it, too, says `knowsTimezone` (`db/time-zones.ts`).
 */
export function isTimezone(text: string): boolean {
  return canonicalCase(text) === text && !abbreviations.has(text);
}

/** The name as IANA writes it; null where Temporal does not know it. */
function canonicalCase(text: string): string | null {
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId;
  } catch {
    return null;
  }
}

/** Zones that `Intl` lists under former names. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
const present = (name: string) => ownValue(renamed, name) ?? name;

/** No name is nearly as long. */
const longest = 100;

/** The name that was most likely meant by one that `isTimezone` refuses; null where none is like it. */
export function nearestTimezone(text: string): string | null {
  const typed = text.trim().slice(0, longest);
  if (!/^[A-Za-z]/.test(typed)) return null;
  const written = canonicalCase(typed);
  if (written !== null && isTimezone(written)) return written;
  const meant = present(knownToIntl(typed) ?? '');
  return isTimezone(meant) ? meant : mostAlike(typed.toLowerCase().replaceAll(' ', '_'));
}

function knownToIntl(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** By the whole name, or by its city alone; former names lead to the present ones. */
function mostAlike(typed: string): string | null {
  let nearest: string | null = null;
  let fewest = Math.floor(typed.length / 3) + 1;
  for (const name of Intl.supportedValuesOf('timeZone').flatMap((known) => [known, present(known)])) {
    const whole = name.toLowerCase();
    const faults = Math.min(distance(typed, whole), distance(typed, whole.slice(whole.lastIndexOf('/') + 1)));
    if (faults < fewest) [nearest, fewest] = [present(name), faults];
  }
  return nearest;
}

/** The fault of an invalid name, for use after "is" or "must be": with the nearest right one, where there is one. */
export function timezoneFault(text: string): string {
  const nearest = nearestTimezone(text);
  return `an IANA time zone ${nearest === null ? 'such as Australia/Melbourne' : `as IANA writes it; the nearest is ${nearest}`}`;
}
