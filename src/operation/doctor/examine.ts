/**
 * Checks for all workshops that stored places match their bookings, that nothing is overbooked, and that time zones exist; and
 * checks the installation.
 */

import { publicUrl } from '#base/config/public-url.ts';
import type { Config } from '#base/config.ts';
import { isTimezone } from '#base/values/timezone.ts';
import type { Context } from '#platform/context.ts';
import { freshRules } from '#product/availability/places/rules.ts';
import { readSearchState, type SearchState } from '#product/customers/search/store.ts';
import { relyingPartyOf } from '#product/people/factors/passkeys/relying-party.ts';
import { countPasskeysElsewhere } from '#product/people/factors/passkeys/store.ts';
import { checkConnection } from './connection.ts';
import { checkBooked, checkDays } from './days.ts';
import type { Finding } from './finding.ts';
import { checkPlaces } from './places.ts';
import { checkReplica } from './replica.ts';
import { checkSecretKey } from './secret-key.ts';
import { examineSenders, type SenderFinding } from './senders.ts';
import { checkSharedIds } from './shared-ids.ts';
import { countPlainPages, type PlainPages, workshopsAfter } from './store.ts';
import { checkTimezone } from './timezone.ts';
import { checkZoneData } from './zone-data.ts';

const workshopsAtOnce = 100;
const findingsAtMost = 1_000;
const dayMs = 24 * 60 * 60_000;

export interface ExamineOptions {
  readonly repair: boolean;
  /** The settings whose secret key is checked; without settings it is not. */
  readonly config?: Config;
}

export interface Examined {
  readonly workshops: number;
  /** How many faults were found, and how many of them are repaired. */
  readonly found: number;
  readonly repaired: number;
  /** The first 1,000. */
  readonly findings: readonly Finding[];
  /** Not a fault: days over their bays where the workshop enforces nothing. The first 1,000. */
  readonly notices: readonly Finding[];
  /** Not a fault: for which workshops customers can book on the plain page. */
  readonly plainPages: PlainPages;
  /** Whether Find knows all customers. That it is still being filled is not a fault. */
  readonly search: SearchState;
  /** Not a fault: senders that countries refuse, and names of which nobody has said that they are registered. The first 1,000. */
  readonly senders: readonly SenderFinding[];
  /** Passkeys that were made for another host than that of these settings: not a fault, but they work only at that host. */
  readonly passkeysElsewhere: number;
}

/**
 * Checks the days ahead and the last two days. With `repair` wrong places and days are corrected; overbooking is not, since staff
 * have to decide.
 */
export async function examine(
  context: Pick<Context, 'db' | 'clock'>,
  { repair, config }: ExamineOptions,
): Promise<Examined> {
  const { db, clock } = context;
  const now = clock.now();
  const findings: Finding[] = [];
  const notices: Finding[] = [];
  let [workshops, found, repaired] = [0, 0, 0];
  const look = async (check: AsyncIterable<Finding>) => {
    for await (const finding of check) {
      if (finding.isNotice) {
        if (notices.length < findingsAtMost) notices.push(finding);
        continue;
      }
      found++;
      if (finding.repaired) repaired++;
      if (findings.length < findingsAtMost) findings.push(finding);
    }
  };
  if (config) await look(checkSecretKey(db, config));
  await look(checkConnection(db));
  if (config) await look(checkReplica(db, config));
  await look(checkZoneData(db, now));
  await look(checkSharedIds(db));
  for await (const workshopId of everyWorkshop(db)) {
    const rules = await freshRules(db, workshopId);
    if (rules === null) continue;
    workshops++;
    const { timezone } = rules.schedule;
    const since = new Date(now.getTime() - 2 * dayMs);
    const checks = [
      checkTimezone(db, { workshopId, timezone, now }),
      // Without a valid time zone a workshop has no days, so its places can't be checked.
      ...(isTimezone(timezone)
        ? [
            checkPlaces(context, { workshopId, rules, since, repair }),
            checkDays(db, { workshopId, rules, now, repair }),
            checkBooked(db, { workshopId, rules, now, repair }),
          ]
        : []),
    ];
    for (const check of checks) await look(check);
  }
  const senders = config ? await examineSenders(db, config) : [];
  const isFault = ({ kind }: SenderFinding) => kind === 'noWayOut';
  await look(asFindings(senders.filter(isFault)));
  const search = await readSearchState(db);
  const passkeysElsewhere = config ? await countPasskeysElsewhere(db, hostOf(config)) : 0;
  const plainPages = await countPlainPages(db);
  return {
    ...{ workshops, found, repaired, findings, notices, plainPages, search, passkeysElsewhere },
    senders: senders.filter((finding) => !isFault(finding)),
  };
}

async function* asFindings(senders: readonly SenderFinding[]): AsyncGenerator<Finding> {
  for (const { workshopId, message } of senders)
    yield { kind: 'smsSender', workshopId, code: null, at: null, message, repaired: false };
}

const hostOf = (config: Config) => relyingPartyOf(publicUrl(config), config.port).id;

async function* everyWorkshop(db: Context['db']): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const page: string[] = await workshopsAfter(db, after, workshopsAtOnce);
    yield* page;
    after = page.at(-1) ?? null;
  } while (after !== null);
}
