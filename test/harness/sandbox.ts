/** The sandbox's own gateways in place of the recorded ones: `startTestApp({ gateways: sandboxGateways })`. */
import type { Context } from '#context.ts';
import { sandboxEmail } from '#gateways/email/sandbox.ts';
import { sandboxSms } from '#gateways/sms/sandbox.ts';
import { sandboxOutbox } from '#sandbox/store.ts';

export function sandboxGateways({ db, clock, config }: Context): Pick<Context, 'sms' | 'email'> {
  const outbox = sandboxOutbox(db, clock);
  return {
    sms: sandboxSms({ outbox, latencyMs: 0 }),
    email: sandboxEmail({ outbox, from: config.mailFrom }),
  };
}
