-- Edition 1.
-- By a trigger, since bookings of every kind change customers too, also by the previous release.
CREATE OR REPLACE FUNCTION count_customer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER customer_changed BEFORE UPDATE ON customer FOR EACH ROW
  WHEN ((OLD.name, OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.company, OLD.address, OLD.postcode, OLD.suburb, OLD.tags,
         OLD.opted_out_at, OLD.erased_at, OLD.merged_into)
    IS DISTINCT FROM
        (NEW.name, NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.company, NEW.address, NEW.postcode, NEW.suburb, NEW.tags,
         NEW.opted_out_at, NEW.erased_at, NEW.merged_into))
  EXECUTE FUNCTION count_customer_change();
