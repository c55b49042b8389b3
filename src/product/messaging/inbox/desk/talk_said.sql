-- Edition 1.
-- One statement for all messages that a statement makes, the talks in the order of their ids, so that two batches meet in no deadlock.
-- In TypeScript: src/product/messaging/inbox/desk/talk-sql.ts.
CREATE OR REPLACE FUNCTION talk_said() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  moved uuid[];
  reopened uuid[];
  confirmed uuid[];
  theirs uuid[];
  has_merged boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM now_there WHERE conversation_id IS NOT NULL
      AND (kind IN ('partnerMessage', 'reply', 'inbound', 'confirmation') OR text_fate(state, reason) = 'failed')) THEN
    RETURN NULL;
  END IF;
  -- Of a customer who was merged two rows are written, of which the second may come before one of another customer.
  IF (SELECT min(customer_id::text) <> max(customer_id::text) FROM now_there WHERE conversation_id IS NOT NULL) THEN
    SELECT array_agg(DISTINCT its.id), coalesce(bool_or(k.merged_into IS NOT NULL), false) INTO theirs, has_merged
      FROM now_there JOIN customer k ON k.id = now_there.customer_id CROSS JOIN LATERAL (VALUES (k.id), (k.merged_into)) AS its (id)
     WHERE conversation_id IS NOT NULL AND its.id IS NOT NULL;
    IF has_merged THEN
      PERFORM hold_talks(theirs);
    END IF;
  END IF;
  WITH said AS MATERIALIZED (
    SELECT customer_id, workshop_id, max(id::text)::uuid AS id, (array_agg(conversation_id ORDER BY id DESC))[1] AS conversation_id,
           (max(id::text) FILTER (WHERE direction = 'inbound'))::uuid AS heard_id,
           (max(id::text) FILTER (WHERE direction = 'outbound' AND text_fate(state, reason) IN ('fine', 'unknown')))::uuid AS answer_id,
           (max(id::text) FILTER (WHERE text_fate(state, reason) = 'failed'))::uuid AS failed_id
      FROM now_there
     WHERE conversation_id IS NOT NULL AND (kind IN ('partnerMessage', 'reply', 'inbound') OR text_fate(state, reason) = 'failed')
     GROUP BY customer_id, workshop_id),
  own AS (
    INSERT INTO talk (customer_id, workshop_id, merged_into, conversation_id, last_message_id, heard_id, answer_id, failed_id)
    SELECT said.customer_id, said.workshop_id, k.merged_into, here.conversation_id, here.id, here.heard_id, here.answer_id, here.failed_id
      FROM said JOIN customer k ON k.id = said.customer_id LEFT JOIN said here ON here.customer_id = k.id AND k.merged_into IS NULL
     ORDER BY said.customer_id DESC
    ON CONFLICT (customer_id) DO UPDATE SET
      conversation_id = CASE WHEN talk.last_message_id > excluded.last_message_id
        THEN talk.conversation_id ELSE excluded.conversation_id END,
      last_message_id = greatest(talk.last_message_id, excluded.last_message_id),
      heard_id = greatest(talk.heard_id, excluded.heard_id),
      answer_id = greatest(talk.answer_id, excluded.answer_id),
      failed_id = greatest(talk.failed_id, excluded.failed_id),
      -- Whenever it was written: staff who were done had not read it.
      done_at = CASE WHEN num_nonnulls(excluded.heard_id, excluded.failed_id) = 0 THEN talk.done_at END,
      version = talk.version + CASE WHEN num_nonnulls(excluded.heard_id, excluded.failed_id) = 0 THEN 0 ELSE 1 END
    WHERE talk.merged_into IS NULL AND excluded.merged_into IS NULL
    RETURNING customer_id, merged_into)
  SELECT array_agg(said.customer_id) FILTER (WHERE num_nonnulls(heard_id, failed_id) = 0),
         array_agg(said.customer_id) FILTER (WHERE num_nonnulls(heard_id, failed_id) > 0)
    INTO moved, reopened
    FROM said WHERE NOT EXISTS (SELECT FROM own WHERE own.customer_id = said.customer_id AND own.merged_into IS NULL);
  -- Of customers who were merged.
  IF moved IS NOT NULL THEN
    PERFORM read_talks(moved, false);
  END IF;
  IF reopened IS NOT NULL THEN
    PERFORM read_talks(reopened, true);
  END IF;
  -- An opt-out word that was confirmed needs no answer.
  SELECT array_agg(DISTINCT customer_id) INTO confirmed FROM now_there WHERE kind = 'confirmation' AND conversation_id IS NOT NULL;
  IF confirmed IS NOT NULL THEN
    PERFORM read_talks(confirmed, false);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER message_talk_said AFTER INSERT ON message REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT
  EXECUTE FUNCTION talk_said();
