/** The status for operators: whether migrations are pending, the backlog, and the workers. */

import type { KeyFingerprints } from '#base/secret-key.ts';
import { readAdvance } from '#platform/db/business-clock.ts';
import type { Database } from '#platform/db/database.ts';
import { pendingFunctions } from '#platform/db/functions/apply.ts';
import { pendingMigrations } from '#platform/db/migrate.ts';
import { judgeKey, type KeyState, shortFingerprint } from '#platform/key-fingerprint/rules.ts';
import { readNamedKey } from '#platform/key-fingerprint/store.ts';
import { type WorkBacklog, workBacklog } from '#platform/work/store.ts';
import { type MailRefusal, readUnauthenticated } from '#product/sending/unauthenticated/store.ts';
import {
  type Counts,
  listWorkers,
  readCounts,
  readServer,
  type ServerFacts,
  type UsedUpPages,
  usedUpPages,
  type WaitingDeliveries,
  type WaitingMessages,
  type WorkerSeen,
  waitingDeliveries,
  waitingMessages,
} from './store.ts';

/** Which database it is. */
export interface DatabaseLocation {
  readonly embedded: boolean;
  /** The data folder; or host, port and name of the database, without credentials. */
  readonly place: string;
}

export interface Status {
  readonly database: ServerFacts &
    DatabaseLocation & {
      readonly pendingMigrations: readonly string[];
      /** Files of functions and triggers of which the database has none, or an earlier edition; empty while migrations are pending. */
      readonly pendingFunctions: readonly string[];
    };
  /** Null while migrations are pending: tables may be missing. Each count stops at 100,000. */
  readonly counts: Counts | null;
  readonly work:
    | (WorkBacklog & {
        readonly messages: WaitingMessages[];
        readonly webhooks: WaitingDeliveries;
        readonly usedUpPages: UsedUpPages[];
        /** The refusal of all e-mails by mailbox providers; null: there is none. */
        readonly mailRefusal: MailRefusal | null;
        readonly workers: WorkerSeen[];
      })
    | null;
  /** Null while migrations are pending. */
  readonly secretKey: {
    /** How the key of these settings relates to that of the database. */
    readonly state: KeyState;
    /** The short fingerprint of the database's key; null when it names none yet. */
    readonly fingerprint: string | null;
  } | null;
  /** How far the business clock was moved forward, in seconds. */
  readonly clockAdvanceSeconds: number | null;
}

export async function readStatus(
  db: Database,
  { embedded, place }: DatabaseLocation,
  keys: KeyFingerprints | null,
): Promise<Status> {
  const pending = await pendingMigrations(db);
  const functions = pending.length > 0 ? [] : await pendingFunctions(db);
  const facts = await readServer(db);
  const database = {
    ...facts,
    embedded,
    place,
    pendingMigrations: pending,
    pendingFunctions: functions,
  };
  if (pending.length > 0)
    return { database, counts: null, work: null, secretKey: null, clockAdvanceSeconds: null };
  const named = await readNamedKey(db);
  return {
    database,
    counts: await readCounts(db),
    work: {
      ...(await workBacklog(db)),
      messages: await waitingMessages(db),
      webhooks: await waitingDeliveries(db),
      usedUpPages: await usedUpPages(db),
      mailRefusal: await readUnauthenticated(db),
      workers: await listWorkers(db),
    },
    secretKey: { state: judgeKey(named, keys), fingerprint: named && shortFingerprint(named.current) },
    clockAdvanceSeconds: await readAdvance(db),
  };
}
