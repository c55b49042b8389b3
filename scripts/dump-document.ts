/** The API document as the server gives it, with the sandbox: the same text at each call, so that it can be committed. */
import { buildApp } from '#app.ts';
import { systemClock } from '#clock.ts';
import { readConfig } from '#config.ts';
import type { Database } from '#db/database.ts';
import { createLog } from '#log.ts';
import { recordedEmail, recordedSms } from '../test/harness/gateways.ts';
import { testOutbound } from '../test/harness/outbound.ts';
import { testSealing } from '../test/harness/sealing.ts';

/** The database is not queried. */
export async function dumpDocument(db: Database): Promise<string> {
  const app = await buildApp({
    config: readConfig({}),
    db,
    clock: systemClock(),
    sms: recordedSms(),
    email: recordedEmail(),
    outbound: testOutbound(),
    log: createLog('silent'),
    sealing: testSealing(),
    sandbox: true,
    sandboxAlone: true,
    nudgeRelay: () => undefined,
    nudgeSender: () => undefined,
  });
  const { body } = await app.inject('/openapi.json');
  const text = JSON.stringify(JSON.parse(body), null, 2);
  await app.close();
  return `${text}\n`;
}
