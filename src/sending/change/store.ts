/** SQL fragments of a message's change of state: whether it changes, and its event. */
import { newIdSql } from '#db/new-id.ts';
import { eventColumns } from '#events/record.ts';
import { emittingKinds } from '../kinds.ts';
import { messageJson } from '../snapshot.ts';

/**
 * The events of messages' changes of state, for the kinds that tell of them. `changed` is a CTE with the messages' rows after it;
 * business time is their `updated_at`. Whatever did not arrive is `message.failed`; the snapshot's state says more.
 */
export function changeEvents(changed: string): string {
  return `INSERT INTO event (${eventColumns})
    SELECT ${newIdSql}, CASE state WHEN 'accepted' THEN 'message.accepted' WHEN 'delivered' THEN 'message.delivered' ELSE 'message.failed' END,
           partner_id, workshop_id, id, version, jsonb_build_object('message', ${messageJson(changed)}), updated_at
      FROM ${changed} WHERE kind IN (${emittingKinds})`;
}

/**
 * An SQL expression: whether what became of an attempt (the row `of`: id, number, state) is what became of its message `m`: it is the
 * one that the message speaks of, or a later one, and what was known is not final; or a gateway has it, or it has arrived, and that is not
 * known of another, which may be under way.
 */
export function counts(of: string, m: string): string {
  return `(${m}.attempt_id = ${of}.id OR ${of}.number > ${m}.attempts AND ${m}.state IN ('sending', 'failed', 'unknown')
    OR ${of}.state IN ('accepted', 'delivered') AND ${m}.state IN ('sending', 'failed', 'unknown'))`;
}
