/** The envelope sender of one e-mail, to which its bounces come. */
import { bounceDomain } from '#base/config/email.ts';
import type { Context } from '#platform/context.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';

/** Null: they come to PITLANE_MAIL_FROM, and nobody but a person reads them. */
export function bounceAddress(
  { config, clock, sealing }: Pick<Context, 'config' | 'clock' | 'sealing'>,
  attemptId: string | null,
): string | null {
  const domain = bounceDomain(config);
  if (domain === null || attemptId === null) return null;
  return signedAddress(sealing, { use: 'bounce', id: attemptId, domain, now: clock.machineNow() });
}
