-- A version of what people see and change of a customer, for forms: what was changed meanwhile is not written over.
SET LOCAL lock_timeout = '10s';

ALTER TABLE customer ADD COLUMN version integer NOT NULL DEFAULT 1;

-- By a trigger, since bookings of every kind change customers too, also by a release before this one.
CREATE FUNCTION count_customer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

-- A booking that brings the same details, as most do, runs no function.
CREATE TRIGGER customer_changed BEFORE UPDATE ON customer FOR EACH ROW
  WHEN ((OLD.name, OLD.first_name, OLD.last_name, OLD.email, OLD.phone, OLD.company, OLD.address, OLD.postcode, OLD.suburb, OLD.tags,
         OLD.opted_out_at, OLD.erased_at)
    IS DISTINCT FROM
        (NEW.name, NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.company, NEW.address, NEW.postcode, NEW.suburb, NEW.tags,
         NEW.opted_out_at, NEW.erased_at))
  EXECUTE FUNCTION count_customer_change();
