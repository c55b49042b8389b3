/** Requests a sign-in code by e-mail. The work is the same whether or not somebody has the address. */
import { type GatewaySettings, isSandboxOpen } from '#base/config/sandbox.ts';
import type { Sealing } from '#base/sealing.ts';
import { newId } from '#base/values/id.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type AccountEmailKind, insertAccountEmail } from '../emails/store.ts';
import { type Asked, mayAsk } from './bounds.ts';
import { hashCode, newSignInCode } from './hash.ts';
import { putCode } from './store.ts';

/** Whether codes are mailed: not without a mail server, and not when the sandbox is open to others. */
export function mailsCodes(config: GatewaySettings & { readonly sandboxForced: boolean }): boolean {
  return config.smtp !== null && !isSandboxOpen(config);
}

/**
 * Creates a code for this browser and queues its e-mail, in one commit; an earlier code is revoked. Beyond the limits, and when no
 * codes are mailed, nothing is created. The caller can't tell the cases apart.
 */
export async function askForCode(
  context: ChangeContext & Pick<Context, 'config' | 'sealing'>,
  asked: Asked,
): Promise<void> {
  const { sealing, config } = context;
  if (!mailsCodes(config) || !(await mayAsk(context, asked))) return;
  const { email, browserSha256 } = asked;
  await change(context, ({ tx }) => mailCode(tx, sealing, { kind: 'signInCode', email, browserSha256 }));
}

export interface MailedCode {
  readonly kind: Extract<AccountEmailKind, 'signInCode' | 'emailChangeCode'>;
  readonly email: string;
  /** The only browser in which it signs in. */
  readonly browserSha256: Buffer;
}

/** Creates a code and queues its e-mail. Resolves to its id. */
export async function mailCode(
  tx: Queryable,
  sealing: Sealing,
  { kind, email, browserSha256 }: MailedCode,
): Promise<string> {
  const [id, code] = [newId(), newSignInCode()];
  await putCode(tx, {
    ...{ id, email, browserSha256, vouchedBy: null },
    codeHmac: hashCode(sealing, id, code),
    codeSealed: sealing.seal('signInCode', code, id),
  });
  await insertAccountEmail(tx, {
    ...{ id: newId(), kind, email, codeId: id },
    ...{ workshopId: null, partnerId: null },
  });
  return id;
}
