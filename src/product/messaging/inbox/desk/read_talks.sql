-- Edition 2.
-- Reads the talks of these customers anew from all that was said with them; `reopens`: that staff were done is over. The rows are held before
-- the messages are read, and whoever writes a message writes its talk after it: what is not seen here comes after this.
-- By the indexes, also where a plan was made while there were few messages.
-- In TypeScript: src/product/messaging/inbox/desk/talk-sql.ts.
-- Beside the previous release: src/product/messaging/inbound/marks/marks.test.ts.
CREATE OR REPLACE FUNCTION read_talks(of_customers uuid[], reopens boolean) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  named uuid[];
  kept uuid[];
BEGIN
  -- All of them in one order, so that two who read some of the same talks meet in no deadlock.
  named := ARRAY(SELECT id FROM customer WHERE id = ANY (of_customers)
    UNION SELECT merged_into FROM customer WHERE id = ANY (of_customers) AND merged_into IS NOT NULL);
  PERFORM hold_talks(named);
  kept := ARRAY(SELECT DISTINCT coalesce(merged_into, customer_id) FROM talk WHERE customer_id = ANY (of_customers));
  IF NOT kept <@ named THEN
    -- Merged meanwhile.
    PERFORM hold_talks(kept);
  END IF;
  UPDATE talk SET
    conversation_id = newest.conversation_id, last_message_id = newest.id, answer_id = answer.id,
    heard_id = CASE WHEN NOT k.is_erased THEN heard.id END,
    failed_id = CASE WHEN NOT k.is_erased THEN failed.id END,
    reopened_id = CASE WHEN NOT k.is_erased THEN reopened_id END,
    assigned_to = CASE WHEN NOT k.is_erased THEN assigned_to END,
    done_at = CASE WHEN NOT k.is_erased AND NOT reopens THEN done_at END,
    asked_id = CASE WHEN NOT k.is_erased THEN asked_id END,
    meant_id = CASE WHEN NOT k.is_erased THEN meant_id END,
    meant_booking_id = CASE WHEN NOT k.is_erased THEN meant_booking_id END,
    version = version + CASE WHEN reopens THEN 1 ELSE 0 END
    FROM (SELECT customer.id, erased_at IS NOT NULL AS is_erased, its.meant_id AS meant,
                 num_nonnulls(its.reopened_id, its.assigned_to, its.done_at) > 0 AS is_marked, ARRAY(
            SELECT v.id FROM customer one JOIN conversation v ON v.customer_id = one.id AND v.workshop_id = one.workshop_id
             WHERE one.id = customer.id OR one.merged_into = customer.id) AS conversations
            FROM customer JOIN talk its ON its.customer_id = customer.id WHERE customer.id = ANY (kept)) AS k
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound')
           AND direction = 'outbound' AND text_fate(state, reason) IN ('fine', 'unknown') ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS answer ON true
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message said WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound')
           AND direction = 'inbound' AND id > coalesce(answer.id, '00000000-0000-0000-0000-000000000000')
           AND (id = k.meant OR NOT EXISTS (SELECT FROM message WHERE cause_id = said.id AND kind = 'confirmation'))
         ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS heard ON true
    LEFT JOIN LATERAL (
      SELECT m.id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE conversation_id = its.id AND id >= coalesce(answer.id, '00000000-0000-0000-0000-000000000000')
           AND direction = 'outbound' AND text_fate(state, reason) IN ('failed', 'unknown') ORDER BY id DESC LIMIT 1) AS m
       ORDER BY m.id DESC LIMIT 1) AS failed ON true
    LEFT JOIN LATERAL (
      SELECT m.id, m.conversation_id FROM unnest(k.conversations) AS its (id) CROSS JOIN LATERAL (
        (SELECT id, conversation_id, true AS moves FROM message
          WHERE conversation_id = its.id AND kind IN ('partnerMessage', 'reply', 'inbound') ORDER BY id DESC LIMIT 1)
        UNION ALL SELECT id, conversation_id, true FROM message WHERE id = failed.id AND conversation_id = its.id
        UNION ALL (SELECT id, conversation_id, false FROM message
          WHERE conversation_id = its.id AND k.is_marked ORDER BY id DESC LIMIT 1)) AS m
       ORDER BY m.moves DESC, m.id DESC LIMIT 1) AS newest ON true
   WHERE talk.customer_id = k.id;
END $$;
