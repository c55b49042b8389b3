-- Two customers who turned out to be one: the newer row names the older one, which is kept. Bookings, messages and cars stay with the row that
-- they were made for, so nothing that a partner reads changes.
SET LOCAL lock_timeout = '10s';

-- The one that is kept has the lowest id of all that are one, and names nobody. No index is made here: the table is locked meanwhile.
ALTER TABLE customer
  ADD COLUMN merged_into uuid,
  ADD CONSTRAINT customer_kept_is_older CHECK (merged_into < id) NOT VALID,
  ADD CONSTRAINT customer_workshop_id_merged_into_fkey
    FOREIGN KEY (workshop_id, merged_into) REFERENCES customer (workshop_id, id) NOT VALID;

-- A form that was shown before a merge must not be taken after it.
DROP TRIGGER customer_changed ON customer;
CREATE TRIGGER customer_changed BEFORE UPDATE ON customer FOR EACH ROW
  WHEN ((OLD.name, OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.company, OLD.address, OLD.postcode, OLD.suburb, OLD.tags,
         OLD.opted_out_at, OLD.erased_at, OLD.merged_into)
    IS DISTINCT FROM
        (NEW.name, NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.company, NEW.address, NEW.postcode, NEW.suburb, NEW.tags,
         NEW.opted_out_at, NEW.erased_at, NEW.merged_into))
  EXECUTE FUNCTION count_customer_change();

-- An opt-out of one holds for all that are one, whoever writes it: also a release before this one, and one that waited for the merge.
-- By the indexes, also where a plan was made while there were few customers.
CREATE FUNCTION share_opt_out() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE customer SET opted_out_at = NEW.opted_out_at, updated_at = NEW.updated_at
   WHERE id = ANY (ARRAY(SELECT NEW.merged_into UNION ALL SELECT id FROM customer WHERE merged_into = coalesce(NEW.merged_into, NEW.id)))
     AND id <> NEW.id AND (opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER customer_opt_out_shared AFTER UPDATE OF opted_out_at ON customer FOR EACH ROW
  WHEN ((OLD.opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL)) EXECUTE FUNCTION share_opt_out();
