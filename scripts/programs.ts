/**
 * `npm run programs`: tries other programs (mail servers, mail programs, calendars) against the product, each in a copy of this machine
 * that is gone afterwards, and ends with 1 when one does otherwise than docs/programs.md says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calendarTrials } from './programs/calendars.ts';
import { mailTrials } from './programs/mail.ts';
import { tableOf, withTable } from './programs/page.ts';
import { inRoom, whyNoRoom } from './programs/room.ts';
import type { Trial } from './programs/trial.ts';

const usage = `npm run programs                    all of them, and writes the tables of docs/programs.md: ten minutes
npm run programs -- NAME …          those alone, and writes nothing
npm run programs -- --list          their names
It needs root on a Debian, installs nothing on it, and asks Debian's archive for packages.
`;
const trials: readonly Trial[] = [...mailTrials, ...calendarTrials];
const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const unknown = positionals.filter((name) => trials.every((trial) => trial.name !== name));
const reason = whyNoRoom();

if (values.help) say(usage);
else if (values.list) for (const { name, program } of trials) say(`${name.padEnd(16)} ${program}`);
else if (unknown.length > 0 || reason !== null) {
  process.stderr.write(`${reason ?? `there is no ${unknown.join(', ')}`}\n\n${usage}`);
  process.exitCode = 2;
} else {
  const chosen = trials.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const rows = [];
  for (const trial of chosen) {
    const row = await inRoom(trial, async (left) => ({
      ...{ trial, version: left.versions.get(trial.packages[0] ?? '') ?? '?' },
      result: await trial.result(left),
    })).catch((error) => ({ trial, version: '?', result: `failed: ${error.message}` }));
    const isRight = row.result === trial.expected;
    if (!isRight) process.exitCode = 1;
    say(
      `${isRight ? '✔' : '✖'} ${trial.program} ${row.version}: ${row.result}${isRight ? '' : `\n    expected: ${trial.expected}`}`,
    );
    rows.push(row);
  }
  const page = new URL('../docs/programs.md', import.meta.url);
  if (positionals.length === 0 && process.exitCode !== 1)
    writeFileSync(page, withTable(readFileSync(page, 'utf8'), tableOf(rows)));
}
