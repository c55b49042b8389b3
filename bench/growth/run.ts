/**
 * `npm run bench:growth`: whether an installation gets slower as its data grow. Fills one of 10,000 bookings and one of 1, 3 and 10
 * million in one PostgreSQL, and measures both by turns. A full run writes its page in `bench/`. `usage` says the rest.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { optionsOf } from '../../scripts/options.ts';
import { say } from '../beside.ts';
import { freeBytes, type GrowthCluster, startGrowthCluster } from './cluster.ts';
import { loadUpTo } from './load.ts';
import { measureBoth } from './measure.ts';
import { retentionReport, timesTheRun } from './retention.ts';
import { migrate, startSide } from './side.ts';
import { growthTable, type Step, short, tolerance } from './table.ts';

const usage = `npm run bench:growth                           1, 3 and 10 million bookings; writes its page in bench/
npm run bench:growth -- --sizes 0.2,1          other sizes, in millions; writes nothing
npm run bench:growth -- --keep DIR             keeps what is loaded there, and uses it again
npm run bench:growth -- --only Find,Today      operations with one of these in their name; writes nothing
npm run bench:growth -- --rounds 5 --seconds 6 rounds of each side, and how long each is
npm run bench:growth -- --retention            300 bookings a second for 20 minutes while old data are deleted; writes its page in bench/
npm run bench:growth -- --retention --minutes 2 --rate 100 --sizes 0.2    less of it; writes nothing
`;

const smallBookings = 10_000;
const fullSizes = '1,3,10';
/** What a booking takes on disk with all that belongs to it, and what the WAL and sorting take meanwhile. */
const bytesOfBooking = 6_000;
/** What retention deletes of one. */
const bytesExpired = 12_000;
const bytesBeside = 12e9;

async function main(): Promise<number> {
  const values = read();
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const { isRetention, keep } = values;
  const sizes = (values.sizes ?? (isRetention ? '1' : fullSizes))
    .split(',')
    .map((each) => Number(each) * 1e6);
  const faulty = [...sizes, values.rounds, values.seconds, values.minutes, values.rate].some((n) => !(n > 0));
  if (faulty) {
    process.stderr.write(usage);
    return 2;
  }
  const largest = Math.max(...sizes);
  const expired = isRetention ? values.rate * values.minutes * 60 * timesTheRun : 0;
  const needed = largest * bytesOfBooking + expired * bytesExpired + bytesBeside;
  const free = freeBytes(keep);
  say(
    `${short(largest)} bookings need about ${(needed / 1e9).toFixed(0)} GB; ${(free / 1e9).toFixed(0)} GB are free.`,
  );
  if (free < needed && keep === undefined) {
    say('That is too little: choose a folder with --keep DIR, or smaller --sizes.');
    return 1;
  }
  const cluster = await startGrowthCluster(keep);
  try {
    if (isRetention) {
      const text = await retentionReport(cluster, {
        bookings: largest,
        minutes: values.minutes,
        perSecond: values.rate,
      });
      process.stdout.write(text);
      if (values.isWhole) writePage('growth-retention', text);
    } else {
      const steps = await grow(cluster, sizes, values);
      const text = `# Data that grows

\`npm run bench:growth\`, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, \`shared_buffers\` ${cluster.settings['shared_buffers']}. An
installation of ${short(smallBookings)} bookings and one that grows, in one PostgreSQL, each with a server of its own, asked by turns: medians of
${values.rounds} rounds of ${values.seconds} s. Bold: more than ${tolerance * 100} % from the small one. Reports may take longer.

${growthTable(steps, smallBookings)}`;
      process.stdout.write(text);
      if (steps.some(({ failed }) => failed.length > 0)) return 1;
      if (values.isWhole) writePage('growth', text);
    }
  } finally {
    await cluster.end();
  }
  return 0;
}

function writePage(name: string, text: string): void {
  writeFileSync(new URL(`../${name}.md`, import.meta.url), text);
}

function read() {
  const values = optionsOf(
    {
      sizes: { type: 'string' },
      keep: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '6' },
      retention: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '20' },
      rate: { type: 'string', default: '300' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    usage,
  );
  const { sizes, keep, only, retention: isRetention, help } = values;
  const numbers = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    minutes: Number(values.minutes),
    rate: Number(values.rate),
  };
  const isWhole = isRetention
    ? numbers.minutes >= 20 && numbers.rate >= 300 && (sizes === undefined || Number(sizes) >= 1)
    : only === undefined && numbers.rounds >= 3 && numbers.seconds >= 5 && (sizes ?? fullSizes) === fullSizes;
  return { sizes, keep, only, isRetention, help, isWhole, ...numbers };
}

async function grow(
  cluster: GrowthCluster,
  sizes: readonly number[],
  rounds: Parameters<typeof measureBoth>[1],
): Promise<Step[]> {
  const clock = systemClock();
  const { folder } = cluster;
  const [smallUrl, url] = [await cluster.url('small'), await cluster.url('large')];
  const small = { url: smallUrl, folder, name: 'small' };
  const large = { url, folder, name: 'large' };
  for (const place of [small, large]) await migrate(place);
  await loadUpTo(smallUrl, clock, smallBookings);
  const steps: Step[] = [];
  for (const bookings of sizes.toSorted((a, b) => a - b)) {
    const startedMs = performance.now();
    const isLoaded = await loadUpTo(url, clock, bookings);
    const loadSeconds = isLoaded ? (performance.now() - startedMs) / 1_000 : 0;
    const bytes = await sizeOf(url);
    const sides = { small: await startSide(small), large: await startSide(large) };
    try {
      steps.push({ bookings, ...(await measureBoth(sides, rounds)), loadSeconds, bytes });
    } finally {
      for (const side of Object.values(sides)) await side.stop();
    }
  }
  return steps;
}

async function sizeOf(url: string): Promise<number> {
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bench' });
  const [row] = await db.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  );
  await db.close();
  return row?.bytes ?? 0;
}

process.exitCode = await main();
