-- Edition 2.
-- Two customers turn out to be one, or one is erased; whoever writes it, also the previous release.
-- Beside the previous release: src/product/messaging/inbound/marks/marks.test.ts.
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
