/** The table of ratios. */
import { existsSync } from 'node:fs';
import type { CpuInfo } from 'node:os';
import type { Rate } from './limit.ts';

export interface Row {
  readonly name: string;
  readonly limitName: string;
  readonly api: Rate;
  readonly limit: Rate;
}

export interface Findings {
  readonly rows: readonly Row[];
  /** What else was measured, or was not, and why: whole sentences. */
  readonly notes: readonly string[];
  /** Below all that, as they are. */
  readonly sections: readonly string[];
  readonly postgres: string;
  readonly cpus: readonly CpuInfo[];
}

const rate = ({ perSecond }: Rate) => Math.round(perSecond).toLocaleString('en');
const times = ({ p50, p95, p99 }: Rate) => [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ');

/** Written by `npm run bench:growth`, once it has run. */
const pages = [
  { name: 'growth', what: 'How fast each operation is as the data grow' },
  { name: 'growth-retention', what: 'Bookings at a steady rate while old data are deleted' },
] as const;

const grown = () =>
  pages
    .map(({ name, what }) => ({ file: `${name}.md`, what }))
    .filter(({ file }) => existsSync(new URL(file, import.meta.url)))
    .map(({ file, what }) => `- ${what}: [${file}](${file}).\n`)
    .join('');

/** The rows, and below them what was not measured. */
export function table(rows: readonly Row[], notes: readonly string[]): string {
  const lines = rows.map(
    ({ name, limitName, api, limit }) =>
      `| ${name} | ${limitName} | **${(api.perSecond / limit.perSecond).toFixed(2)}** | ${rate(api)} | ${rate(limit)} | ${times(api)} | ${times(limit)} |`,
  );
  return `| What | Beside | Ratio | API /s | Limit /s | API ms p50 / p95 / p99 | Limit ms p50 / p95 / p99 |
|---|---|---|---|---|---|---|
${lines.join('\n')}

${notes.map((note) => `- ${note}\n`).join('')}`;
}

export function report({ rows, notes, sections, postgres, cpus }: Findings): string {
  return `# Benchmark

\`npm run bench\`, PostgreSQL ${postgres}, Node ${process.versions.node}, ${cpus.length} × ${cpus[0]?.model.trim() ?? 'unknown'}. Load, server and
database share the machine. Each row runs the API and its limit by turns on the same server and takes the median round; the ratio is
what carries over to another machine, not the figures.

${table(rows, notes)}- Aims: create 1.0 beside pgbench at 16 connections and 1.3 at 64; read 0.7 beside the bare handler; a fresh database within 0.15 of an analysed one;
  where availability is enforced 0.8 of the creations where nothing is;
  send at 0 ms 2,500 a second, at 50 ms 0.9, through Kannel 0.6, drain 5,000 a second; from commit to SMS 100 ms (p99);
  Find and Today at least 0.25 of the list of bookings, Week 0.125, the report of four weeks 0.1; from a booking's request to the hint on an event stream 1 s (p99), from a customer's text to the open page of its conversation 1 s (p99); webhooks to live endpoints beside a dead one 2 s (p99), from the event to its receipt.
  Bookings are measured on 100,000 of them, analysed; pgbench runs the statement of a creation over one booking each.
- Bookings and sends run with \`PITLANE_ROLE=api\`; the notices that they lead to are the drain's row.
- Availabilities: under 10 ms at the median. 40 services, 12 bays; the service that is asked for counts under its category's daily limit.
- Reports: under 2 s at the median, over 1,000,000 bookings and 200,000 messages of one partner in 40 workshops, beside a tenth of another's.
- Through Kannel: it keeps what it accepts on disk, as docs/gateways/kannel.md says. Both sides ask for delivery reports: the API's are recorded by it, the
  others go to a server that does nothing. Both keep their connections.
- What the rows that miss their aim spend their time on: [profile.md](profile.md).
${grown()}${sections.join('')}`;
}
