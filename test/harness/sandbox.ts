/** The sandbox's own gateways in place of the recorded ones: `startTestApp({ gateways: sandboxGateways })`. */

import { sandboxOutbox } from '#operation/sandbox/store.ts';
import type { Context } from '#platform/context.ts';
import { sandboxEmail } from '#platform/gateways/email/sandbox.ts';
import { sandboxSms } from '#platform/gateways/sms/sandbox.ts';

export function sandboxGateways({ db, clock, config }: Context): Pick<Context, 'sms' | 'email'> {
  const outbox = sandboxOutbox(db, clock);
  return {
    sms: sandboxSms({ outbox, latencyMs: 0 }),
    email: sandboxEmail({ outbox, from: { ...config.mailFrom, via: config.mailVia } }),
  };
}
