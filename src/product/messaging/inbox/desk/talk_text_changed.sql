-- Edition 1.
-- Reads the talks anew whose texts failed, or turned out not to have.
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

CREATE OR REPLACE TRIGGER message_talk_changed AFTER UPDATE ON message REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT
  EXECUTE FUNCTION talk_text_changed();
