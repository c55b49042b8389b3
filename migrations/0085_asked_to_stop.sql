-- What a customer wrote may be a wish to stop that no opt-out word says, or an opt-out word that was about a booking: the talk says so until
-- staff have decided. A tapback is no answer, and HELP has one by itself. Nothing is written while two kinds of messages are added.
SET LOCAL lock_timeout = '10s';

ALTER TABLE talk
  -- The newest text by which the customer may have asked for no more texts; null: none, or somebody has decided. Until then campaigns and
  -- reminders are skipped.
  ADD COLUMN asked_id uuid,
  -- An opt-out word that may have been about a booking of that day: it waits for an answer, although it was confirmed.
  ADD COLUMN meant_id uuid,
  ADD COLUMN meant_booking_id uuid;

CREATE INDEX talk_asked ON talk (workshop_id) WHERE asked_id IS NOT NULL;

ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN (
  'partnerMessage', 'reply', 'confirmation', 'helpAnswer', 'bookingNotice', 'quoteNotice', 'carReady', 'serviceReminder', 'inboxDigest',
  'inbound', 'reaction', 'automation', 'blast')) NOT VALID;

-- As it was, and a text that is skipped since the customer may have opted out fails as quietly as one to somebody who has.
CREATE OR REPLACE FUNCTION text_fate(state text, reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN state IN ('undelivered', 'expired') THEN 'failed'
    WHEN state = 'failed' AND reason IN ('erased', 'cancelled') THEN 'called off'
    WHEN state = 'failed' AND reason IN ('optedOut', 'mayHaveOptedOut') THEN 'fine'
    WHEN state = 'failed' THEN 'failed'
    WHEN state = 'unknown' THEN 'unknown'
    ELSE 'fine' END
$$;

-- As it was, and the recipient or run of such a text is skipped.
CREATE OR REPLACE FUNCTION campaign_message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
DECLARE
  became text := CASE
    WHEN NEW.state = 'accepted' THEN 'sent'
    WHEN NEW.state IN ('delivered', 'unknown') THEN NEW.state
    WHEN NEW.state = 'sending' OR NEW.state = 'failed' AND EXISTS (SELECT FROM queued_message WHERE message_id = NEW.id) THEN 'queued'
    WHEN NEW.reason IN ('optedOut', 'mayHaveOptedOut', 'erased', 'cancelled') THEN 'skipped'
    ELSE 'failed' END;
  why text := CASE became WHEN 'failed' THEN coalesce(NEW.reason, NEW.state) WHEN 'unknown' THEN NEW.reason WHEN 'skipped' THEN NEW.reason END;
BEGIN
  IF NEW.kind = 'blast' THEN
    UPDATE blast_recipient SET state = became, reason = why
     WHERE blast_id = NEW.cause_id AND customer_id = NEW.customer_id AND (state, reason) IS DISTINCT FROM (became, why);
  ELSE
    UPDATE automation_run
       SET status = CASE became WHEN 'delivered' THEN 'sent' WHEN 'unknown' THEN 'failed' ELSE became END, reason = why,
           sent_at = CASE WHEN became IN ('sent', 'delivered') THEN coalesce(sent_at, NEW.updated_at) ELSE sent_at END,
           ended_at = CASE WHEN became <> 'queued' THEN coalesce(ended_at, NEW.updated_at) END
     WHERE id = NEW.cause_id;
  END IF;
  RETURN NULL;
END $$;

-- Reads the talks of these customers anew from all that was said with them; `reopens`: that staff were done is over. The rows are held before
-- the messages are read, and whoever writes a message writes its talk after it: what is not seen here comes after this.
-- By the indexes, also where a plan was made while there were few messages.
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

-- Two customers turn out to be one, or one is erased; whoever writes it, also a release before this one.
CREATE OR REPLACE FUNCTION customer_talk_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone talk;
  kept talk;
  waited boolean;
  answered boolean;
BEGIN
  IF NEW.merged_into IS DISTINCT FROM OLD.merged_into AND NEW.merged_into IS NOT NULL THEN
    -- A message that is written meanwhile waits for these rows, or they for it.
    INSERT INTO talk (customer_id, workshop_id) VALUES (NEW.id, NEW.workshop_id), (NEW.merged_into, NEW.workshop_id)
    ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id;
    SELECT * INTO gone FROM talk WHERE customer_id = NEW.id;
    SELECT * INTO kept FROM talk WHERE customer_id = NEW.merged_into;
    UPDATE talk SET merged_into = NEW.merged_into, conversation_id = NULL, last_message_id = NULL, heard_id = NULL, answer_id = NULL,
           failed_id = NULL, reopened_id = NULL, done_at = NULL, assigned_to = NULL, asked_id = NULL, meant_id = NULL,
           meant_booking_id = NULL WHERE customer_id = NEW.id;
    waited := gone.done_at IS NULL AND gone.reopened_id >= coalesce(gone.answer_id, '00000000-0000-0000-0000-000000000000')
      OR kept.done_at IS NULL AND kept.reopened_id >= coalesce(kept.answer_id, '00000000-0000-0000-0000-000000000000');
    -- An opt-out of either answers what either has asked.
    answered := EXISTS (SELECT FROM customer WHERE id IN (NEW.id, NEW.merged_into) AND opted_out_at IS NOT NULL);
    UPDATE talk SET version = greatest(gone.version, kept.version) + 1,
           asked_id = CASE WHEN NOT answered THEN greatest(gone.asked_id, kept.asked_id) END,
           meant_id = greatest(gone.meant_id, kept.meant_id),
           meant_booking_id = CASE WHEN kept.meant_id >= gone.meant_id OR gone.meant_id IS NULL
             THEN kept.meant_booking_id ELSE gone.meant_booking_id END,
           assigned_to = coalesce(kept.assigned_to, gone.assigned_to),
           -- Done is what is done of both; of one with whom nobody has talked there is nothing to do.
           done_at = CASE WHEN (gone.done_at IS NOT NULL OR gone.last_message_id IS NULL)
                           AND (kept.done_at IS NOT NULL OR kept.last_message_id IS NULL) THEN greatest(gone.done_at, kept.done_at) END,
           reopened_id = CASE WHEN waited
             THEN greatest(gone.answer_id, kept.answer_id, '00000000-0000-0000-0000-000000000000') END
     WHERE customer_id = NEW.merged_into;
  END IF;
  PERFORM read_talks(ARRAY[NEW.id], false) WHERE EXISTS (SELECT FROM talk WHERE customer_id = NEW.id);
  RETURN NULL;
END $$;

-- Whoever opts a customer out, or in again, has decided; also a release before this one.
CREATE FUNCTION customer_opt_out_decides() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE talk SET asked_id = NULL, version = version + 1
   WHERE customer_id = coalesce(NEW.merged_into, NEW.id) AND asked_id IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER customer_opt_out_decides AFTER UPDATE OF opted_out_at ON customer FOR EACH ROW
  WHEN ((OLD.opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL)) EXECUTE FUNCTION customer_opt_out_decides();
