-- Why staff may text a number: it has no booking, or is of another country.
SET LOCAL lock_timeout = '10s';

CREATE TABLE texting_ground (
  workshop_id    uuid NOT NULL REFERENCES workshop (id),
  phone          text NOT NULL,
  customer_id    uuid NOT NULL REFERENCES customer (id),
  -- Of the first text to a number without a booking; null: it needed none.
  reason         text,
  abroad_allowed boolean NOT NULL,
  actor          text NOT NULL,
  at             timestamptz NOT NULL,
  PRIMARY KEY (workshop_id, phone)
);
CREATE INDEX texting_ground_customer ON texting_ground (customer_id);
