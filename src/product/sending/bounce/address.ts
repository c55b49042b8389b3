/** The envelope sender of one e-mail: bounces of that e-mail are delivered to it. */
import { bounceDomain } from '#base/config/email.ts';
import type { Context } from '#platform/context.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';

/** Null when bounces go to PITLANE_MAIL_FROM, which the product does not read. */
export function bounceAddress(
  { config, clock, sealing }: Pick<Context, 'config' | 'clock' | 'sealing'>,
  attemptId: string | null,
): string | null {
  const domain = bounceDomain(config);
  if (domain === null || attemptId === null) return null;
  return signedAddress(sealing, { use: 'bounce', id: attemptId, domain, now: clock.machineNow() });
}
