-- The talks that were there before. While messages are read nothing waits; while the rows are written, a text to or from one of these customers
-- does. Those who were written to since the triggers came have a row that does not know what was before: it is read anew.
SET LOCAL lock_timeout = '10s';

DO $$
DECLARE
  begun uuid[];
BEGIN
  WITH theirs AS MATERIALIZED (
    SELECT coalesce(k.merged_into, k.id) AS customer_id, k.workshop_id,
           max(m.id::text)::uuid AS id,
           (max(m.id::text) FILTER (WHERE m.direction = 'inbound' AND NOT EXISTS (
             SELECT FROM message WHERE cause_id = m.id AND kind = 'confirmation')))::uuid AS heard_id,
           (max(m.id::text) FILTER (WHERE m.direction = 'outbound' AND m.kind IN ('partnerMessage', 'reply')
             AND text_fate(m.state, m.reason) IN ('fine', 'unknown')))::uuid AS answer_id,
           (max(m.id::text) FILTER (WHERE m.direction = 'outbound'
             AND text_fate(m.state, m.reason) IN ('failed', 'unknown')))::uuid AS failed_id,
           bool_or(k.erased_at IS NOT NULL) AS is_erased
      FROM message m JOIN customer k ON k.id = m.customer_id
     WHERE m.conversation_id IS NOT NULL
       AND (m.kind IN ('partnerMessage', 'reply', 'inbound') OR text_fate(m.state, m.reason) IN ('failed', 'unknown'))
     GROUP BY 1, 2),
  filled AS (
    INSERT INTO talk (customer_id, workshop_id, conversation_id, last_message_id, heard_id, answer_id, failed_id)
    SELECT theirs.customer_id, theirs.workshop_id, newest.conversation_id, newest.id,
           CASE WHEN NOT is_erased THEN heard_id END, answer_id, CASE WHEN NOT is_erased THEN failed_id END
      FROM theirs LEFT JOIN message newest ON newest.id = theirs.id
     ORDER BY theirs.customer_id DESC
    ON CONFLICT (customer_id) DO NOTHING RETURNING customer_id)
  SELECT array_agg(customer_id) INTO begun FROM theirs
   WHERE NOT EXISTS (SELECT FROM filled WHERE filled.customer_id = theirs.customer_id);
  IF begun IS NOT NULL THEN
    PERFORM read_talks(begun, false);
  END IF;
END $$;
