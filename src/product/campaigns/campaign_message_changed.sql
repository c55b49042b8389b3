-- Edition 2.
-- The outcome of a message of an automation or a blast is that of its run, or of its recipient.
-- In TypeScript: src/product/campaigns/automations/runs/store.ts, src/product/campaigns/blasts/recipients/store.ts.
-- Beside the previous release: src/product/messaging/inbound/marks/marks.test.ts.
CREATE OR REPLACE FUNCTION campaign_message_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
