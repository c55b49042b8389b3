/** Quiet hours against a reference that goes minute by minute, in zones whose clocks change in several ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterQuiet, beforeQuiet, isQuiet, type QuietHours } from './quiet-hours.ts';

const minuteMs = 60_000;
const zones = [
  ...['Australia/Melbourne', 'Australia/Lord_Howe', 'America/New_York', 'Europe/Dublin', 'Asia/Kathmandu'],
  ...['Pacific/Apia', 'America/Santiago', 'Africa/Cairo', 'UTC'],
];

/** What a wall clock shows, by Intl. */
const formats = new Map<string, Intl.DateTimeFormat>();
function shown(atMs: number, timeZone: string): string {
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(timeZone, format);
  return format.format(atMs);
}
function quietByClock(atMs: number, { from, to }: QuietHours, zone: string): boolean {
  const time = shown(atMs, zone);
  return from < to ? from <= time && time < to : time >= from || time < to;
}

const clockTime = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
const quietHours = fc.record({ from: clockTime, to: clockTime }).filter(({ from, to }) => from !== to);
/** Half of them within a day of a change of clocks. */
const changes = [
  '2027-04-03T15:00Z',
  '2027-10-02T16:00Z',
  '2027-03-14T07:00Z',
  '2027-11-07T06:00Z',
  '2011-12-30T10:00Z',
];
const around = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -1440, max: 1440 }))
  .map(([change, minutes]) => Date.parse(change) + minutes * minuteMs);
const anyTime = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) })
  .map((ms) => ms - (ms % minuteMs));
const instants = fc.oneof(around, anyTime);

test('quiet hours end, and begin, as a walk minute by minute finds them', () => {
  const check = fc.property(instants, quietHours, fc.constantFrom(...zones), (atMs, quiet, zone) => {
    const at = new Date(atMs);
    assert.equal(isQuiet(at, quiet, zone), quietByClock(atMs, quiet, zone));
    let later = atMs;
    while (quietByClock(later, quiet, zone)) later += minuteMs;
    assert.equal(afterQuiet(at, quiet, zone).toISOString(), new Date(later).toISOString());
    let earlier = atMs;
    while (quietByClock(earlier, quiet, zone)) earlier -= minuteMs;
    assert.equal(beforeQuiet(at, quiet, zone).toISOString(), new Date(earlier).toISOString());
  });
  fc.assert(check, { numRuns: Number(process.env['QUIET_RUNS'] ?? 60) });
});

test('what falls into the usual hours goes at 08:00; before a booking it goes at 19:59', () => {
  const quiet = { from: '20:00', to: '08:00' };
  const at = new Date('2030-01-15T12:00:00Z');
  assert.equal(afterQuiet(at, quiet, 'Australia/Melbourne').toISOString(), '2030-01-15T21:00:00.000Z');
  assert.equal(beforeQuiet(at, quiet, 'Australia/Melbourne').toISOString(), '2030-01-15T08:59:00.000Z');
});
