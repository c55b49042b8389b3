/** `pitlane doctor`: checks the stored places against the bookings, overbooking, time zones, and the installation. */
import type { Command } from 'commander';
import type { Finding } from '#operation/doctor/finding.ts';
import type { PlainPages } from '#operation/doctor/store.ts';
import type { SearchState } from '#product/customers/search/store.ts';
import { printResult } from './output.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { verb } from './verb.ts';

export function registerDoctor(program: Command): void {
  const doctor = {
    usage: 'doctor',
    summary:
      'prove that places are stored as the bookings say, that no slot or day has too many, and that secret key and zone data fit; 1 when something is left',
    examples: ['doctor', 'doctor --repair', 'doctor --json'],
  };
  verb<{ repair?: true }>(program, doctor, (_, { repair }) =>
    withSession(async (session) => {
      const { examine } = await import('#operation/doctor/examine.ts');
      const { OperatorError } = await import('#base/operator-error.ts');
      const examined = await examine(session, { repair: repair === true, config: session.config });
      const { workshops, found, repaired, findings } = examined;
      const lines = found === 0 ? [] : [table(findings, columns)];
      const sum = `${workshops} workshops: ${found} found, ${repaired} repaired`;
      const pages = plainPagesLine(examined.plainPages);
      const about = [
        ...[pages, searchLine(examined.search), ...passkeyLines(examined.passkeysElsewhere)],
        ...noticeLines(examined.notices),
        ...examined.senders.map(({ message }) => message),
      ];
      printResult({ json: examined, text: [...about, ...lines, sum].join('\n') });
      if (found > repaired) throw new OperatorError(`${found - repaired} found that are not repaired`);
      return null;
    }),
  ).option('--repair', 'make wrong places and days again; too many bookings are for people to mend');
}

function plainPagesLine({ on, off, without }: PlainPages): string {
  const names = [...without, ...(off > without.length ? ['…'] : [])].join(', ');
  const rest = off === 0 ? '' : `, off for ${off} (${names}): the setting plainPage switches it on`;
  return `plain booking page /book/SLUG: on for ${on} of the workshops${rest}`;
}

const passkeyLines = (count: number) =>
  count === 0
    ? []
    : [
        `${count} passkeys were made for another host than that of PITLANE_PUBLIC_URL, and work there alone: their people sign in by a code and add new ones`,
      ];

const noticeLines = (notices: readonly Finding[]) =>
  notices.length === 0
    ? []
    : [
        `no fault, but days have more bookings than bays where nothing is enforced: ${notices.length}`,
        table(notices, noticeColumns),
      ];

function searchLine({ isFilled }: SearchState): string {
  return `Find finds by parts of words${isFilled ? '' : '; it is still being filled'}`;
}

const noticeColumns = {
  WORKSHOP: (row: Finding) => row.workshopId,
  AT: (row: Finding) => row.at,
  NOTICE: (row: Finding) => row.message,
};

const columns = {
  WORKSHOP: (row: Finding) => row.workshopId,
  KIND: (row: Finding) => row.kind,
  AT: (row: Finding) => row.at,
  BOOKING: (row: Finding) => row.code,
  FOUND: (row: Finding) => row.message,
  REPAIRED: (row: Finding) => row.repaired,
};
