-- Conversations as staff work through them: one row for all that was said with a customer, kept true by the database itself, so that each list
-- of the inbox is an index, whichever release writes messages. The triggers of messages come by themselves in the next migration.
SET LOCAL lock_timeout = '10s';

CREATE TABLE talk (
  customer_id uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  -- The older customer whom this one was merged into: that one's row is the talk with both, and this one says nothing else.
  merged_into uuid,
  -- Of the newest message: here the talk is shown and answered.
  conversation_id uuid,
  -- The newest of what moves a talk up: texts of partners, replies, answers, and texts of any kind that did not arrive; where there is none and
  -- staff did something with the talk, the newest of any kind. Null: it is in no list.
  last_message_id uuid,
  -- The newest text of the customer that needs an answer; an older one than the newest answer may not be here.
  heard_id uuid,
  -- The newest text of a partner or of staff that arrived, or is under way.
  answer_id uuid,
  -- The newest text to the customer that did not arrive, or may not have; an older one than the newest answer may not be here.
  failed_id uuid,
  -- Staff marked the talk as waiting again: no answer up to this one ends that. The lowest id where there was none.
  reopened_id uuid,
  -- Staff said that nobody needs to act, until the customer writes again or a text to them fails. Business time.
  done_at timestamptz,
  assigned_to uuid,
  -- Counts what a form that was shown before must not be taken after: the customer wrote, a text failed, staff did something.
  version integer NOT NULL DEFAULT 1,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id) ON DELETE CASCADE,
  -- Who leaves the workshop is no assignee any more.
  FOREIGN KEY (assigned_to, workshop_id) REFERENCES membership (person_id, workshop_id) ON DELETE SET NULL (assigned_to),
  CONSTRAINT talk_merged CHECK (merged_into IS NULL
    OR num_nonnulls(conversation_id, last_message_id, heard_id, answer_id, failed_id, reopened_id, done_at, assigned_to) = 0)
) WITH (fillfactor = 80);
CREATE INDEX talk_last ON talk (workshop_id, last_message_id) WHERE last_message_id IS NOT NULL;
CREATE INDEX talk_waiting ON talk (workshop_id, last_message_id) WHERE last_message_id IS NOT NULL AND done_at IS NULL
  AND (heard_id > coalesce(answer_id, '00000000-0000-0000-0000-000000000000')
    OR reopened_id >= coalesce(answer_id, '00000000-0000-0000-0000-000000000000'));
CREATE INDEX talk_failed ON talk (workshop_id, last_message_id) WHERE last_message_id IS NOT NULL AND done_at IS NULL
  AND failed_id >= coalesce(answer_id, '00000000-0000-0000-0000-000000000000');
CREATE INDEX talk_done ON talk (workshop_id, last_message_id) WHERE last_message_id IS NOT NULL AND done_at IS NOT NULL;
CREATE INDEX talk_assigned ON talk (assigned_to, workshop_id, last_message_id) WHERE assigned_to IS NOT NULL;

-- What staff write down of a talk, for themselves. No message is ever made of it: it is a table of its own.
CREATE TABLE talk_note (
  id uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  text text NOT NULL,
  -- Who wrote it.
  actor text NOT NULL,
  -- Business time.
  created_at timestamptz NOT NULL,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id) ON DELETE CASCADE
);
CREATE INDEX talk_note_customer ON talk_note (customer_id, id);

-- What became of a text, for whoever works through the inbox. A customer who opted out can't be answered, and one who was erased neither, so
-- nothing is left to do; but to a question that was there before, a text that was called off is no answer.
CREATE FUNCTION text_fate(state text, reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN state IN ('undelivered', 'expired') THEN 'failed'
    WHEN state = 'failed' AND reason IN ('erased', 'cancelled') THEN 'called off'
    WHEN state = 'failed' AND reason IS DISTINCT FROM 'optedOut' THEN 'failed'
    WHEN state = 'unknown' THEN 'unknown'
    ELSE 'fine' END
$$;

-- Holds the rows of these customers until the transaction ends, the newest customer first, and makes those that are missing.
CREATE FUNCTION hold_talks(of_customers uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO talk (customer_id, workshop_id, merged_into)
  SELECT id, workshop_id, merged_into FROM customer WHERE id = ANY (of_customers) ORDER BY id DESC
  ON CONFLICT (customer_id) DO NOTHING;
  PERFORM FROM talk WHERE customer_id = ANY (of_customers) ORDER BY customer_id DESC FOR NO KEY UPDATE;
END $$;

-- Reads the talks of these customers anew from all that was said with them; `reopens`: that staff were done is over. The rows are held before
-- the messages are read, and whoever writes a message writes its talk after it: what is not seen here comes after this.
-- By the indexes, also where a plan was made while there were few messages.
CREATE FUNCTION read_talks(of_customers uuid[], reopens boolean) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
    version = version + CASE WHEN reopens THEN 1 ELSE 0 END
    FROM (SELECT customer.id, erased_at IS NOT NULL AS is_erased,
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
           AND NOT EXISTS (SELECT FROM message WHERE cause_id = said.id AND kind = 'confirmation')
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
CREATE FUNCTION customer_talk_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone talk;
  kept talk;
  waited boolean;
BEGIN
  IF NEW.merged_into IS DISTINCT FROM OLD.merged_into AND NEW.merged_into IS NOT NULL THEN
    -- A message that is written meanwhile waits for these rows, or they for it.
    INSERT INTO talk (customer_id, workshop_id) VALUES (NEW.id, NEW.workshop_id), (NEW.merged_into, NEW.workshop_id)
    ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id;
    SELECT * INTO gone FROM talk WHERE customer_id = NEW.id;
    SELECT * INTO kept FROM talk WHERE customer_id = NEW.merged_into;
    UPDATE talk SET merged_into = NEW.merged_into, conversation_id = NULL, last_message_id = NULL, heard_id = NULL, answer_id = NULL,
           failed_id = NULL, reopened_id = NULL, done_at = NULL, assigned_to = NULL WHERE customer_id = NEW.id;
    waited := gone.done_at IS NULL AND gone.reopened_id >= coalesce(gone.answer_id, '00000000-0000-0000-0000-000000000000')
      OR kept.done_at IS NULL AND kept.reopened_id >= coalesce(kept.answer_id, '00000000-0000-0000-0000-000000000000');
    UPDATE talk SET version = greatest(gone.version, kept.version) + 1, assigned_to = coalesce(kept.assigned_to, gone.assigned_to),
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
CREATE TRIGGER customer_talk AFTER UPDATE OF merged_into, erased_at ON customer FOR EACH ROW
  WHEN (OLD.merged_into IS DISTINCT FROM NEW.merged_into OR OLD.erased_at IS DISTINCT FROM NEW.erased_at)
  EXECUTE FUNCTION customer_talk_changed();
