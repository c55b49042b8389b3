/** What the inbox reads, of all customers of the workshops $1 to $2, once messages have their indexes. What was said a week ago is done. */
export const talksText = `INSERT INTO talk (customer_id, workshop_id, conversation_id, last_message_id, heard_id, answer_id, done_at)
  SELECT customer_id, m.workshop_id, (array_agg(conversation_id))[1], max(m.id::text)::uuid,
         (max(m.id::text) FILTER (WHERE direction = 'inbound'))::uuid, (max(m.id::text) FILTER (WHERE direction = 'outbound'))::uuid,
         CASE WHEN max(m.created_at) < growth.loaded_at() - interval '7 days' THEN max(m.created_at) END
    FROM growth.workshop o JOIN message m ON m.workshop_id = o.id AND m.kind IN ('partnerMessage', 'reply', 'inbound')
   WHERE o.number BETWEEN $1::int AND $2::int
   GROUP BY customer_id, m.workshop_id`;
