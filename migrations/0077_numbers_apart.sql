-- Whether a blast goes to numbers of other countries than the workshop's; and customers whose number is another's.
SET LOCAL lock_timeout = '10s';

-- What was triggered before keeps sending as it was previewed.
ALTER TABLE blast ADD COLUMN other_countries boolean NOT NULL DEFAULT false;
UPDATE blast SET other_countries = true WHERE status IN ('scheduled', 'sending', 'paused');

-- The customer of a booking whose number was typed by somebody who may not see phones, where the workshop knew the number already. To
-- those who see phones the two are one.
CREATE TABLE customer_apart (
  customer_id uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  -- Who has the number.
  number_of   uuid NOT NULL,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workshop_id, number_of) REFERENCES customer (workshop_id, id) ON DELETE CASCADE
);
CREATE INDEX customer_apart_number ON customer_apart (number_of);

-- An opt-out of who has the number holds for whoever was booked with it, whoever writes it, a release before this one too.
CREATE OR REPLACE FUNCTION share_opt_out() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE customer SET opted_out_at = NEW.opted_out_at, updated_at = NEW.updated_at
   WHERE id = ANY (ARRAY(SELECT NEW.merged_into UNION ALL SELECT id FROM customer WHERE merged_into = coalesce(NEW.merged_into, NEW.id)
                         UNION ALL SELECT customer_id FROM customer_apart WHERE number_of = NEW.id))
     AND id <> NEW.id AND (opted_out_at IS NULL) <> (NEW.opted_out_at IS NULL);
  RETURN NULL;
END $$;
