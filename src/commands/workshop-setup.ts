/** `pitlane workshop import` and `export`: settings, hours, custom days and catalogue as one JSON file. */

import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { OutsideHours } from '#product/availability/set-up/outside.ts';
import { jsonText } from './output.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { verb } from './verb.ts';

export function registerSetup(workshop: Command): void {
  const importing = {
    usage: 'import <file>',
    summary:
      'set a workshop up from a JSON file, all or nothing (- is standard input); docs/workshop-setup.md shows one',
    examples: [
      'workshop import harbour.json',
      'workshop export carlton-motors | npx pitlane workshop import - --json',
    ],
  };
  verb(workshop, importing, async ([file = '']) => {
    const given = await contentOf(file);
    return withSession(async ({ db, clock }) => {
      const { importWorkshop } = await import('#product/availability/set-up/import.ts');
      const imported = await importWorkshop({ db, clock }, given, actors.operator);
      const { workshopId, services, outsideHours } = imported;
      const columns = {
        'CATALOG CODE': ({ catalogCode }: (typeof services)[number]) => catalogCode,
        ID: ({ _id }: (typeof services)[number]) => _id,
      };
      const done = `workshop ${workshopId} is set up${outsideText(outsideHours)}`;
      return {
        json: imported,
        text: services.length === 0 ? done : `${done}\n\n${table(services, columns)}`,
      };
    });
  });

  const exporting = {
    usage: 'export <workshop>',
    summary: 'print what a workshop is set up with, as JSON that import takes',
    examples: ['workshop export carlton-motors > harbour.json'],
  };
  verb(workshop, exporting, ([workshopId = '']) =>
    withSession(async ({ db }) => {
      const { exportWorkshop } = await import('#product/availability/set-up/export.ts');
      const setup = await exportWorkshop(db, workshopId);
      return { json: setup, text: jsonText(setup, 2) };
    }),
  );
}

/** A second line, where there are any. */
function outsideText(outside: OutsideHours | null): string {
  if (outside === null || outside.count === 0) return '';
  const { count, codes } = outside;
  const more = count > codes.length ? ', …' : '';
  const which = count === 1 ? '1 upcoming booking lies' : `${count} upcoming bookings lie`;
  return `\n${which} outside the new hours, and ${count === 1 ? 'stays as it is' : 'stay as they are'}: ${codes.join(', ')}${more}`;
}

/** Before the database is opened: standard input may take its time. */
async function contentOf(file: string): Promise<string> {
  const { OperatorError } = await import('#base/operator-error.ts');
  const bytes = await bytesOf(file).catch((error: Error) => {
    throw new OperatorError(`can't read ${file}: ${error.message}`);
  });
  if (!isUtf8(bytes)) throw new OperatorError('the file is not in UTF-8: save it in that encoding');
  return bytes.toString();
}

const bytesOf = (file: string): Promise<Buffer> => (file === '-' ? buffer(process.stdin) : readFile(file));
