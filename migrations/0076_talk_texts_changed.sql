-- What becomes of texts changes their talks once for a whole statement: the talks are locked in the order of their ids, so that two statements
-- meet in no deadlock, whichever way they read the messages. A statement that changes no text's fate costs two looks at what it wrote: no
-- condition that has to be compiled each time. PostgreSQL hands the rows of a statement to no trigger of named columns, so it is called for all.
SET LOCAL lock_timeout = '10s';

DROP TRIGGER message_talk_changed ON message;

-- Reads the talks of these customers anew; of the first a text failed.
CREATE FUNCTION read_changed_talks(failing uuid[], others uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF failing IS NOT NULL AND others IS NOT NULL THEN
    -- All at once: each part holds its own in order, but the second may have one that comes before those of the first.
    PERFORM hold_talks(ARRAY(SELECT id FROM customer WHERE id = ANY (failing || others)
      UNION SELECT merged_into FROM customer WHERE id = ANY (failing || others) AND merged_into IS NOT NULL));
  END IF;
  IF failing IS NOT NULL THEN
    PERFORM read_talks(failing, true);
  END IF;
  IF others IS NOT NULL THEN
    PERFORM read_talks(others, false);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION talk_text_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  failing uuid[];
  others uuid[];
BEGIN
  -- Of any other state the fate is fine, before and after.
  IF NOT EXISTS (SELECT FROM now_there WHERE state IN ('failed', 'undelivered', 'expired', 'unknown') AND conversation_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM was_there WHERE state IN ('failed', 'undelivered', 'expired', 'unknown') AND conversation_id IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  -- Grouped, not joined: a plan that is kept from when a statement changed one message would compare each with each.
  SELECT array_agg(DISTINCT customer_id) FILTER (WHERE became = 'failed'), array_agg(DISTINCT customer_id) FILTER (WHERE became <> 'failed')
    INTO failing, others
    FROM (SELECT (array_agg(customer_id) FILTER (WHERE is_new))[1] AS customer_id,
                 max(fate) FILTER (WHERE NOT is_new) AS was, max(fate) FILTER (WHERE is_new) AS became
            FROM (SELECT id, customer_id, text_fate(state, reason) AS fate, true AS is_new FROM now_there WHERE conversation_id IS NOT NULL
                  UNION ALL SELECT id, customer_id, text_fate(state, reason), false FROM was_there) AS text
           GROUP BY id) AS change
   WHERE was <> became;
  IF failing IS NOT NULL OR others IS NOT NULL THEN
    PERFORM read_changed_talks(failing, others);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER message_talk_changed AFTER UPDATE ON message REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT
  EXECUTE FUNCTION talk_text_changed();
