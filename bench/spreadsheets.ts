/**
 * `node bin/run.mjs bench/spreadsheets.ts` has LibreOffice (`soffice`) and Gnumeric (`ssconvert`), where they are installed, open a CSV file
 * and save it, and says of each value that they changed what an import makes of it. docs/import.md has what was found.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvLine } from '#base/values/csv.ts';
import { parsePhone } from '#base/values/phone.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { readRows } from '../test/fixtures/import-rows.ts';

/** Each in a file of its own, so that one fault hides no other. */
const values: readonly (readonly [column: string, value: string])[] = [
  ...['1E5', '123E45', '3APR', 'APR03', 'MAR-12', '00123', '1-2', 'TRUE', '10:30', 'ABC123'].map(
    (value) => ['Registration', value] as const,
  ),
  ...['12345678901234567', '1234567890123E567', 'JTDBR32E720123456'].map((value) => ['VIN', value] as const),
  ...['9-5', '9-3', '1/2', 'BT-50', '500'].map((value) => ['Model', value] as const),
  ...['0800', '3053'].map((value) => ['Postcode', value] as const),
  ...['0491570006', '+61491570006', '0491 570 006', '(03) 5550 0101'].map(
    (value) => ['Mobile', value] as const,
  ),
];

interface Program {
  readonly name: string;
  readonly version: readonly [command: string, ...args: string[]];
  /** Writes `saved.csv` into the folder, of its `file.csv`. */
  save(folder: string): void;
}

const toCsv = 'csv:Text - txt - csv (StarCalc):44,34,76';
const office = (name: string, filter: readonly string[]): Program => ({
  name: `LibreOffice, ${name}`,
  version: ['soffice', '--version'],
  save: (folder) => {
    const args = [
      ...filter,
      '--convert-to',
      toCsv,
      '--outdir',
      join(folder, 'out'),
      join(folder, 'file.csv'),
    ];
    run('soffice', [`-env:UserInstallation=file://${folder}/profile`, '--headless', ...args]);
    writeFileSync(join(folder, 'saved.csv'), readFileSync(join(folder, 'out', 'file.csv')));
  },
});
const programs: readonly Program[] = [
  office('its own settings', []),
  ...['3081', '1033'].map((locale) =>
    office(`special numbers in locale ${locale}`, [
      `--infilter=Text - txt - csv (StarCalc):44,34,76,1,,${locale},false,true`,
    ]),
  ),
  {
    name: 'Gnumeric',
    version: ['ssconvert', '--version'],
    save: (folder) =>
      run('ssconvert', ['-T', 'Gnumeric_stf:stf_csv', join(folder, 'file.csv'), join(folder, 'saved.csv')]),
  },
];

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function versionOf({ version: [command, ...args] }: Program): string | null {
  try {
    return run(command, args).split('\n')[0] ?? '';
  } catch {
    return null;
  }
}

/** What an import reads of the only row: the value, or why not. */
async function outcomeOf(column: string, value: string, content: Buffer): Promise<string> {
  const { good, faults, notes } = await readRows('customers', content);
  const [row] = good;
  if (row === undefined) return `fault: ${faults[0]?.message.replace(/:.*/, '') ?? ''}`;
  const { customer, car } = row;
  const read: Readonly<Record<string, string | null | undefined>> = {
    ...{ Registration: car?.rego, VIN: car?.vin, Model: car?.model },
    ...{ Postcode: customer.postcode, Mobile: customer.phone },
  };
  const wanted =
    column === 'Mobile' ? parsePhone(value, 'AU') : column === 'Registration' ? normaliseRego(value) : value;
  const said = notes.length > 0 ? ', and said' : '';
  return read[column] === wanted ? `read as it was${said}` : `READ OTHERWISE${said}`;
}

const folder = mkdtempSync(join(tmpdir(), 'pitlane-spreadsheets-'));
try {
  for (const program of programs) {
    const version = versionOf(program);
    if (version === null) {
      process.stdout.write(`${program.name}: not installed\n`);
      continue;
    }
    process.stdout.write(
      `\n${program.name} (${version})\n\n| Column | Was | Saved | Import |\n|---|---|---|---|\n`,
    );
    writeFileSync(
      join(folder, 'file.csv'),
      ['Column,Value\r\n', ...values.map((value) => csvLine(value).replace("'+", '+'))].join(''),
    );
    program.save(folder);
    const [, ...saved] = readFileSync(join(folder, 'saved.csv'), 'utf8').split(/\r?\n/);
    for (const [n, [column, value]] of values.entries()) {
      const cell = (saved[n] ?? '').slice(column.length + 1);
      const content = Buffer.from(
        `Name,${column === 'Mobile' ? '' : 'Mobile,'}${column}\nKim,${column === 'Mobile' ? '' : ','}${cell}\n`,
      );
      const plain = cell.replace(/^"(.*)"$/, '$1');
      const outcome = await outcomeOf(column, value, content);
      if (plain !== value || outcome !== 'read as it was')
        process.stdout.write(`| ${column} | \`${value}\` | \`${plain}\` | ${outcome} |\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
