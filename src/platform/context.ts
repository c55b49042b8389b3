/** The context that every part of the program gets: a plain object, made once per process. */
import type { Logger } from 'pino';
import type { Clock } from '#base/clock.ts';
import type { Config } from '#base/config.ts';
import type { Sealing } from '#base/sealing.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import type { Replica } from '#platform/db/replica/replica.ts';
import type { EmailGateway } from '#platform/gateways/email/gateway.ts';
import type { OutboundClient } from '#platform/gateways/outbound/client.ts';
import type { SmsGateway } from '#platform/gateways/sms/gateway.ts';

/** A request that takes effect once, such as a form with its key. */
export interface OnlyOnce {
  /** Runs first in the transaction: a concurrent repeat waits here, and is refused when the first one commits. */
  begin(tx: Queryable): Promise<void>;
  /** Runs last in the transaction, with the result of the change. */
  end(tx: Queryable, result: unknown): Promise<void>;
}

export interface Context {
  readonly config: Config;
  readonly db: Database;
  /** A replica of the database, for `readOld` alone; null: there is none. */
  readonly replica: Replica | null;
  readonly clock: Clock;
  readonly sms: SmsGateway;
  readonly email: EmailGateway;
  /** Calls URLs that partners choose. */
  readonly outbound: OutboundClient;
  readonly log: Logger;
  readonly sealing: Sealing;
  /** True when a sandbox gateway is in use: its page and its messages are served. */
  readonly sandbox: boolean;
  /** True when all that is sent goes to the sandbox: one may answer as a customer there, and move the clock. */
  readonly sandboxAlone: boolean;
  /** The present request takes effect once; absent: each time that it is sent. */
  readonly onlyOnce?: OnlyOnce | undefined;
  /** Tells the relay of this process that an event waits; without it, the relay's poll finds it. */
  readonly nudgeRelay: () => void;
  /** Tells the sender and the deliverer of this process that something is queued; without it, their polls find it. */
  readonly nudgeSender: () => void;
}
