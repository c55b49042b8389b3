/** The API on a free loopback port, for scripts: its gateways record, its log is silent. */
import { buildApp } from '#app.ts';
import type { Clock } from '#base/clock.ts';
import { readConfig } from '#base/config.ts';
import { createLog } from '#base/log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { recordedEmail, recordedSms } from '../test/harness/gateways.ts';
import { type HttpResponse, type RequestOptions, send } from '../test/harness/http.ts';
import { testOutbound } from '../test/harness/outbound.ts';
import { testSealing } from '../test/harness/sealing.ts';

export interface ServedApi {
  readonly context: Context;
  request(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>;
  close(): Promise<void>;
}

export async function serveApi(db: Database, clock: Clock): Promise<ServedApi> {
  const context: Context = {
    config: readConfig({}),
    db,
    replica: null,
    clock,
    sms: recordedSms(),
    email: recordedEmail(),
    outbound: testOutbound(),
    log: createLog('silent'),
    sealing: testSealing(),
    sandbox: true,
    sandboxAlone: true,
    nudgeRelay: () => undefined,
    nudgeSender: () => undefined,
  };
  const app = await buildApp(context);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    context,
    request: (method, path, options) => send(`${url}${path}`, method, options),
    close: () => app.close(),
  };
}
