-- Edition 1.
-- Old messages are deleted in steps: few of them are the newest of their talk.
CREATE OR REPLACE FUNCTION talk_forgotten() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  theirs uuid[];
BEGIN
  SELECT array_agg(DISTINCT gone.customer_id) INTO theirs
    FROM was_there gone JOIN talk own ON own.customer_id = gone.customer_id
    JOIN talk ON talk.customer_id = coalesce(own.merged_into, own.customer_id)
   WHERE gone.conversation_id IS NOT NULL
     AND gone.id IN (talk.last_message_id, talk.heard_id, talk.answer_id, talk.failed_id);
  IF theirs IS NOT NULL THEN
    PERFORM read_talks(theirs, false);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER message_talk_forgotten AFTER DELETE ON message REFERENCING OLD TABLE AS was_there FOR EACH STATEMENT
  EXECUTE FUNCTION talk_forgotten();
