-- Edition 1.
-- An opt-out of who has the number holds for whoever was booked with it, whoever writes it, the previous release too.
-- In TypeScript: src/product/customers/apart/store.ts.
CREATE OR REPLACE FUNCTION share_opt_out() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE customer SET opted_out_at = NEW.opted_out_at, updated_at = NEW.updated_at
   WHERE id = ANY (ARRAY(SELECT NEW.merged_into UNION ALL SELECT id FROM customer WHERE merged_into = coalesce(NEW.merged_into, NEW.id)
                         UNION ALL SELECT customer_id FROM customer_apart WHERE number_of = NEW.id))
     AND id <> NEW.id AND (opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER customer_opt_out_shared AFTER UPDATE OF opted_out_at ON customer FOR EACH ROW
  WHEN ((OLD.opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL)) EXECUTE FUNCTION share_opt_out();
