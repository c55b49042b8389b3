/** What every part of the program is handed, with recorded gateways: for tests, and for benches that run in one process. */
import type { Logger } from 'pino';
import type { Clock } from '#base/clock.ts';
import { type Config, readConfig } from '#base/config.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { Replica } from '#platform/db/replica/replica.ts';
import { type RecordedEmail, type RecordedSms, recordedEmail, recordedSms } from './gateways.ts';
import { testOutbound } from './outbound.ts';
import { testSealing } from './sealing.ts';

export interface RecordedContext extends Context {
  readonly sms: RecordedSms;
  readonly email: RecordedEmail;
}

export interface RecordedContextOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config?: Partial<Config> | undefined;
  readonly replica?: Replica | undefined;
  readonly sandbox?: boolean | undefined;
  readonly sandboxAlone?: boolean | undefined;
}

/** Its relay and sender hear of nothing: `drain` runs them. */
export function recordedContext(options: RecordedContextOptions): RecordedContext {
  const { db, clock, log, config, replica = null, sandbox = true, sandboxAlone = sandbox } = options;
  return {
    // Without the demo's public address: the texts of notices have no link of a random code.
    config: { ...readConfig({}), demo: false, ...config },
    ...{ db, replica, clock, log, sandbox, sandboxAlone },
    sms: recordedSms(),
    email: recordedEmail(),
    outbound: testOutbound(config?.webhooksAllowPrivate === true),
    sealing: testSealing(),
    nudgeRelay: () => undefined,
    nudgeSender: () => undefined,
  };
}
