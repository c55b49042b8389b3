/** The operator says that the name which a workshop sends under is registered with a gateway, or no longer. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { smsGatewayNames } from '#base/values/sms-gateways.ts';
import { isSenderName } from '#base/values/sms-sender-form.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '../../store.ts';
import { deleteRegistered, listRegistered, putRegistered, type RegisteredName } from './store.ts';

export interface SaidOfName {
  /** Id or slug. */
  readonly workshop: string;
  readonly gateway: string;
  readonly isRegistered: boolean;
}

/**
 * It holds for the present name alone: another name has to be registered again. Nothing is asked of the gateway. Returns what holds for
 * the workshop then. Throws OperatorError for an unknown workshop or gateway, and where the workshop sends under no name of its own.
 */
export async function sayOfName(
  context: ChangeContext,
  { workshop, gateway, isRegistered }: SaidOfName,
  actor: Actor,
): Promise<RegisteredName[]> {
  if (!smsGatewayNames.some((known) => known === gateway))
    throw new OperatorError(`the gateway must be one of: ${smsGatewayNames.join(', ')}`);
  const { workshopId, smsSender } = await requireWorkshop(context.db, workshop);
  const name = smsSender ?? '';
  if (isRegistered && !isSenderName(name))
    throw new OperatorError('the workshop sends under no name of its own');
  return change(context, async ({ tx, now }) => {
    if (isRegistered) await putRegistered(tx, { workshopId, gateway, name }, now);
    else await deleteRegistered(tx, workshopId, gateway);
    const subject = { kind: 'workshop', id: workshopId };
    const action = isRegistered ? 'workshop.smsNameRegistered' : 'workshop.smsNameWithdrawn';
    await recordEntry(tx, {
      ...{ actor, workshopId, subject, action, at: now },
      after: { gateway, ...(isRegistered && { name }) },
    });
    return listRegistered(tx, workshopId);
  });
}
