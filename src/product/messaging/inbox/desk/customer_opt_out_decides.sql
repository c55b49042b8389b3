-- Edition 1.
-- Whoever opts a customer out, or in again, has decided whether they asked for no more texts; also a release that knows of no such question.
CREATE OR REPLACE FUNCTION customer_opt_out_decides() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE talk SET asked_id = NULL, version = version + 1
   WHERE customer_id = coalesce(NEW.merged_into, NEW.id) AND asked_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER customer_opt_out_decides AFTER UPDATE OF opted_out_at ON customer FOR EACH ROW
  WHEN ((OLD.opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL)) EXECUTE FUNCTION customer_opt_out_decides();
