/** Measures both sides by turns, in rounds, and takes the median round of each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../beside.ts';
import { httpLoad } from '../http.ts';
import type { Rate } from '../limit.ts';
import { createRequestsOfCount, drainSeconds, withEndpoint } from './drain.ts';
import { type Operation, operations } from './operations.ts';
import type { Side } from './side.ts';
import { tableLine } from './table.ts';

export interface Measured {
  readonly name: string;
  readonly isReport: boolean;
  readonly small: Rate;
  readonly large: Rate;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  /** Parts of the names, with commas between them; all unless given. */
  readonly only: string | undefined;
}

type Sides = Readonly<Record<'small' | 'large', Side>>;

function median(rates: readonly Rate[]): Rate {
  const found = rates.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rates.length / 2)];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

/** Rate and p99 each by themselves: the median of the rounds. */
function together(rates: readonly Rate[]): Rate {
  const at = (of: 'p50' | 'p95' | 'p99') =>
    rates.map((rate) => rate[of]).sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
  return { perSecond: median(rates).perSecond, p50: at('p50'), p95: at('p95'), p99: at('p99') };
}

/** What could not be measured is a line of `failed`; the rest goes on. */
export interface Outcome {
  readonly measured: readonly Measured[];
  readonly failed: readonly string[];
}

export async function measureBoth(sides: Sides, { rounds, seconds, only }: Rounds): Promise<Outcome> {
  const measured: Measured[] = [];
  const failed: string[] = [];
  const done = (found: Measured) => {
    measured.push(found);
    // A run takes long: what is known so far is not lost with it.
    say(tableLine([found], found.name));
  };
  const each = async (name: string, measure: () => Promise<Measured>) => {
    if (only !== undefined && !only.split(',').some((part) => name.includes(part))) return;
    try {
      done(await measure());
    } catch (error) {
      const line = `${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
      failed.push(line);
      say(`failed: ${line}`);
    }
  };
  for (const operation of operations) {
    await each(operation.name, async () => ({
      name: operation.name,
      isReport: operation.isReport === true,
      ...(await byTurns(sides, rounds, await loadsOf(sides, operation, seconds))),
    }));
  }
  await each(drainName, () => drained(sides, rounds));
  return { measured, failed };
}

/** In which each request of a sample is made once. */
const warmSeconds = 10;

type Loads = Readonly<Record<'small' | 'large', (forSeconds?: number) => Promise<Rate>>>;

async function loadsOf(sides: Sides, operation: Operation, seconds: number): Promise<Loads> {
  const of = async (side: Side) => {
    const { connections, expectedStatus, isFresh } = operation;
    const kept = isFresh ? undefined : await operation.requests(side);
    let from = 0;
    return async (forSeconds = seconds) => {
      const all = kept ?? (await operation.requests(side));
      // Each round goes on where the one before has ended.
      from = (from + 7_001) % all.length;
      const requests = [...all.slice(from), ...all.slice(0, from)];
      return httpLoad({ port: side.port, connections, expectedStatus, requests, seconds: forSeconds });
    };
  };
  return { small: await of(sides.small), large: await of(sides.large) };
}

async function byTurns(sides: Sides, rounds: number, loads: Loads): Promise<{ small: Rate; large: Rate }> {
  const rates: Record<'small' | 'large', Rate[]> = { small: [], large: [] };
  // Plans, compiled code, and the pages that are asked for: a database that is larger than the memory reads them from disk once.
  for (const side of ['small', 'large'] as const) await loads[side](warmSeconds);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const);
    for (const side of order) {
      // What the side before has written is on disk when this one starts.
      await sides[side].db.query('CHECKPOINT');
      rates[side].push(await loads[side]());
      await sleep(200);
    }
  }
  return { small: together(rates.small), large: together(rates.large) };
}

const bookingsToDrain = 500;
const drainName = `Drain ${bookingsToDrain * 4} notices and ${bookingsToDrain} webhook deliveries`;

/** Bookings that were made while no worker ran: their notices and deliveries. */
async function drained(sides: Sides, rounds: number): Promise<Measured> {
  const rates: Record<'small' | 'large', Rate[]> = { small: [], large: [] };
  await withEndpoint(Object.values(sides), async () => {
    for (let round = 0; round < rounds; round++)
      for (const which of ['small', 'large'] as const) {
        const side = sides[which];
        await createRequestsOfCount(side, bookingsToDrain);
        rates[which].push(await side.asWorker(() => drainSeconds(side, bookingsToDrain * 5)));
      }
  });
  return { name: drainName, isReport: false, small: together(rates.small), large: together(rates.large) };
}
