/** Parses a set-up that an operator wrote: the JSON text of all or some sections. */

import { OperatorError } from '#base/operator-error.ts';
import { visible } from '#base/values/bidi.ts';
import { type Weekday, weekdays } from '#base/values/weekday.ts';
import type { FieldError } from '#errors.ts';
import { valueReader } from '#platform/http/validation.ts';
import { dataUrlOf, readDataUrl } from '#product/workshops/logo/logo.ts';
import { faultsOf } from './faults.ts';
import { type SetupFile, workshopSetup } from './format.ts';
import { defaultSettings, type SentSettings, type SentSetup } from './setup.ts';

export interface ReadSetup {
  readonly workshopId: string;
  /** The sections in the file. */
  readonly sections: SentSetup;
}

const readFile = valueReader(workshopSetup, 'the file');

/** Throws OperatorError that names every fault with its path: `hours.monday[1].to: must be after from`. */
export function readSetup(text: string): ReadSetup {
  const { value, errors } = readFile(parse(text));
  const named = new Set(errors.map(({ field }) => field));
  const faults = [...errors, ...faultsOf(value).filter(({ field }) => !named.has(field))];
  if (faults.length > 0) throw new OperatorError(faults.map(lineOf).join('; '));
  const file = value as SetupFile;
  return { workshopId: file.workshopId, sections: sectionsOf(file) };
}

const lineOf = ({ field, message }: FieldError) => `${field}: ${message}`;

function parse(text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new OperatorError(`the file is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function sectionsOf({
  address,
  settings,
  hours,
  pickupTimes,
  custom,
  categories,
  services,
}: SetupFile): SentSetup {
  return {
    ...(address !== undefined && { address: address === null ? null : visible(address) }),
    ...(settings && { settings: withDefaults(settings) }),
    ...(hours && { hours: everyWeekday(hours) }),
    ...(pickupTimes && { pickupTimes: everyWeekday(pickupTimes) }),
    ...(custom && {
      custom: custom
        .map(({ date, hours: ranges, bays = null, pickupTimes: times = null, note = null }) => ({
          ...{ date, hours: ranges, bays, pickupTimes: times, note },
        }))
        .sort((a, b) => (a.date < b.date ? -1 : 1)),
    }),
    ...(categories && {
      categories: categories
        .flatMap(({ code, dailyLimit }) => (dailyLimit === null ? [] : [{ code, dailyLimit }]))
        .sort((a, b) => (a.code < b.code ? -1 : 1)),
    }),
    ...(services && {
      services: services.map(
        ({ cost = null, maxCost = null, icon = null, color = null, dailyLimit = null, ...service }) => ({
          ...{ catalogCode: service.catalogCode, title: service.title, category: service.category },
          ...{ cost, maxCost, icon, color, dailyLimit, durationMinutes: service.durationMinutes ?? null },
          description: service.description ?? null,
        }),
      ),
    }),
  };
}

function withDefaults({ page, ...sent }: NonNullable<SetupFile['settings']>): SentSettings {
  const { page: usualPage, ...usual } = defaultSettings;
  const { logo: _, ...usualTexts } = usualPage;
  const isGiven = ([, value]: [string, unknown]) => value !== null && value !== undefined;
  const settings = { ...usual, ...Object.fromEntries(Object.entries(sent).filter(isGiven)) };
  if (!page) return settings;
  const { logo, ...texts } = page;
  return {
    ...settings,
    page: {
      ...usualTexts,
      ...texts,
      ...(logo !== undefined && { logo: logo === null ? null : dataUrlOf(readDataUrl(logo)) }),
    },
  };
}

function everyWeekday<T>(sent: Partial<Record<Weekday, T[] | null>>): Record<Weekday, T[]> {
  return Object.fromEntries(weekdays.map((weekday) => [weekday, sent[weekday] ?? []])) as Record<
    Weekday,
    T[]
  >;
}
