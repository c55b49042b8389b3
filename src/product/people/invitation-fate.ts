/** Whether an e-mail tells somebody who was added, and whether they get a code by themselves. */
import type { GatewaySettings } from '#base/config/sandbox.ts';
import type { Invitation } from './add.ts';
import { mailsCodes } from './codes/ask.ts';

/**
 * `mailedWithoutCodes`: the e-mail leads to a sign-in that mails no code. `noMailServer`: the e-mail stays in the sandbox. In all cases
 * but `mailed` they can sign in with a printed code only.
 */
export type InvitationFate = 'mailed' | 'mailedWithoutCodes' | 'noMailServer' | Exclude<Invitation, 'queued'>;

export function invitationFate(
  config: GatewaySettings & { readonly sandboxForced: boolean },
  invitation: Invitation,
): InvitationFate {
  if (invitation !== 'queued') return invitation;
  if (config.smtp === null) return 'noMailServer';
  return mailsCodes(config) ? 'mailed' : 'mailedWithoutCodes';
}
