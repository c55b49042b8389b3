/** The tables of the growth bench. */
import type { Rate } from '../limit.ts';
import type { Measured } from './measure.ts';

/** Of all operations but reports: so much less a second, and so much more at p99, is within the aim. */
export const tolerance = 0.15;

export interface Step {
  readonly bookings: number;
  readonly measured: readonly Measured[];
  /** What could not be measured, and why. */
  readonly failed: readonly string[];
  readonly loadSeconds: number;
  readonly bytes: number;
}

const rate = ({ perSecond, p99 }: Rate) =>
  `${perSecond >= 100 ? Math.round(perSecond).toLocaleString('en') : perSecond.toFixed(1)} / ${p99.toFixed(1)}`;

const bold = (text: string, isOver: boolean) => (isOver ? `**${text}**` : text);

function ratios({ small, large, isReport }: Measured): string {
  const perSecond = large.perSecond / small.perSecond;
  const p99 = large.p99 / small.p99;
  const slower = bold(perSecond.toFixed(2), !isReport && perSecond < 1 - tolerance);
  const later = bold(p99.toFixed(2), !isReport && p99 > 1 + tolerance);
  return `${slower} / ${later}`;
}

export const short = (bookings: number) =>
  bookings >= 1_000_000 ? `${bookings / 1_000_000} M` : `${bookings / 1_000} k`;

/** Of one operation, at each size. */
export function tableLine(sizes: readonly (Measured | undefined)[], name: string): string {
  const cells = sizes.map((found) =>
    found === undefined ? ' | | ' : `${rate(found.small)} | ${rate(found.large)} | ${ratios(found)}`,
  );
  return `| ${name} | ${cells.join(' | ')} |`;
}

const failures = (steps: readonly Step[]) =>
  steps
    .flatMap(({ bookings, failed }) =>
      failed.map((line) => `\n- Not measured at ${short(bookings)}: ${line}`),
    )
    .join('')
    .concat('\n');

/** For each size what a small installation does beside it: a second and p99, and how many times the large one's are that. */
export function growthTable(steps: readonly Step[], smallBookings: number): string {
  const names = [...new Set(steps.flatMap(({ measured }) => measured.map(({ name }) => name)))];
  const head = steps
    .map(({ bookings }) => `${short(smallBookings)} | ${short(bookings)} | ratio`)
    .join(' | ');
  const lines = names.map((name) =>
    tableLine(
      steps.map(({ measured }) => measured.find((each) => each.name === name)),
      name,
    ),
  );
  return `| A second / p99 in ms | ${head} |
|---|${'---|'.repeat(3 * steps.length)}
${lines.join('\n')}
${failures(steps)}
| Bookings | Loaded in | Database | a booking |
|---|---|---|---|
${steps.map(({ bookings, loadSeconds, bytes }) => `| ${short(bookings)} | ${loadSeconds === 0 ? 'was there' : `${Math.round(loadSeconds / 60)} min`} | ${(bytes / 1e9).toFixed(1)} GB | ${(bytes / bookings / 1_000).toFixed(1)} kB |`).join('\n')}
`;
}
