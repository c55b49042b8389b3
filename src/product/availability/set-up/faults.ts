/**
 * Faults that a schema cannot express: inconsistencies between values of a set-up. Checks all well-formed values, whatever other
 * faults there are.
 */
import type { FieldError } from '#errors.ts';
import { BadPicture } from '#product/workshops/logo/kinds/kind.ts';
import { readDataUrl } from '#product/workshops/logo/logo.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const entries = (value: unknown) => Object.entries(isObject(value) ? value : {});
const items = (value: unknown) =>
  (Array.isArray(value) ? value : []).map((item: unknown) => (isObject(item) ? item : {}));
const isClockTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d\d:\d\d$/.test(value);

/** Every fault, with its path from the root of the file. */
export function faultsOf(file: unknown): FieldError[] {
  const { settings, hours, pickupTimes, custom, categories, services } = isObject(file) ? file : {};
  const days = items(custom);
  return [
    ...logoFaults(settings),
    ...entries(hours).flatMap(([weekday, ranges]) => rangeFaults(ranges, `hours.${weekday}`)),
    ...entries(pickupTimes).flatMap(([weekday, times]) => repeatedTimes(times, `pickupTimes.${weekday}`)),
    ...days.flatMap((day, n) => rangeFaults(day['hours'], `custom[${n}].hours`)),
    ...days.flatMap((day, n) => repeatedTimes(day['pickupTimes'], `custom[${n}].pickupTimes`)),
    ...repeated(
      days.map(({ date }) => date),
      (n) => `custom[${n}].date`,
    ),
    ...repeated(
      items(categories).map(({ code }) => code),
      (n) => `categories[${n}].code`,
    ),
    ...repeated(
      items(services).map(({ catalogCode }) => catalogCode),
      (n) => `services[${n}].catalogCode`,
    ),
    ...items(services).flatMap(costFaults),
  ];
}

function logoFaults(settings: unknown): FieldError[] {
  const page = isObject(settings) ? settings['page'] : null;
  const logo = isObject(page) ? page['logo'] : null;
  if (typeof logo !== 'string' || logo === '') return [];
  try {
    readDataUrl(logo);
    return [];
  } catch (error) {
    if (!(error instanceof BadPicture)) throw error;
    return [{ field: 'settings.page.logo', message: error.message }];
  }
}

function rangeFaults(ranges: unknown, path: string): FieldError[] {
  const list = items(ranges);
  return list.flatMap(({ from, to }, n) => {
    if (!isClockTime(from)) return [];
    const before = list[n - 1]?.['to'];
    const overlaps = isClockTime(before) && from < before;
    return [
      ...(overlaps
        ? [
            {
              field: `${path}[${n}].from`,
              message: `must not be before ${before}, the end of the range before it`,
            },
          ]
        : []),
      ...(isClockTime(to) && to <= from
        ? [{ field: `${path}[${n}].to`, message: 'must be after from' }]
        : []),
    ];
  });
}

function repeatedTimes(times: unknown, path: string): FieldError[] {
  return repeated(Array.isArray(times) ? times : [], (n) => `${path}[${n}]`);
}

function repeated(values: readonly unknown[], pathOf: (n: number) => string): FieldError[] {
  const first = new Map<unknown, number>();
  return values.flatMap((value, n) => {
    const earlier = first.get(value);
    if (typeof value !== 'string') return [];
    if (earlier !== undefined) return [{ field: pathOf(n), message: `is the same as ${pathOf(earlier)}` }];
    first.set(value, n);
    return [];
  });
}

function costFaults({ cost, maxCost }: Json, n: number): FieldError[] {
  const isLess = typeof cost === 'number' && typeof maxCost === 'number' && maxCost < cost;
  return isLess ? [{ field: `services[${n}].maxCost`, message: 'must not be less than cost' }] : [];
}
