/** SQL fragments of a message's change of state: whether it changes, and its event. */
import { type ActorSql, insertEvents } from '#platform/events/record.ts';
import { emittingKinds, silentNotices } from '../kinds.ts';
import { messageJson } from '../snapshot.ts';

/**
 * The events of messages' changes of state, for the kinds that have `message.*` events. `changed` is a CTE with the changed rows of
 * messages; business time is their `updated_at`. Every failure is the event `message.failed`; the state in its snapshot is more
 * precise. Notices to customers have no such events, except for failures: a page that shows the notice must be updated, however
 * late the delivery report comes.
 */
export function changeEvents(changed: string, by: ActorSql): string {
  const shared = { row: changed, at: `${changed}.updated_at`, by };
  return insertEvents(
    {
      ...shared,
      from: `${changed} WHERE kind IN (${emittingKinds})`,
      kind: `CASE ${changed}.state WHEN 'accepted' THEN 'message.accepted' WHEN 'delivered' THEN 'message.delivered'
             ELSE 'message.failed' END`,
      payload: { message: messageJson(changed) },
    },
    {
      ...shared,
      from: `${changed} WHERE kind IN (${silentNotices}) AND audience = 'customer' AND state NOT IN ('accepted', 'delivered')`,
      kind: `'message.noticeFailed'`,
      payload: {
        message: `jsonb_build_object('customerId', ${changed}.customer_id, 'conversationId', ${changed}.conversation_id)`,
      },
    },
  );
}

/**
 * An SQL expression: whether the state of an attempt (row `of`: id, number, state) sets the state of its message `m`. It does in
 * three cases: the attempt is the message's current one; it is a later one, and the message has neither an acceptance nor a final
 * report; it was accepted or delivered, and the message was not.
 */
export function counts(of: string, m: string): string {
  return `(${m}.attempt_id = ${of}.id OR ${of}.number > ${m}.attempts AND ${m}.state IN ('sending', 'failed', 'unknown')
    OR ${of}.state IN ('accepted', 'delivered') AND ${m}.state IN ('sending', 'failed', 'unknown'))`;
}
