-- The address from which an e-mail to the customer came back for good, and why. It holds while the customer has that address.
SET LOCAL lock_timeout = '10s';

ALTER TABLE customer
  ADD COLUMN bounced_email text,
  ADD COLUMN email_bounced_at timestamptz,
  ADD COLUMN email_bounce text;

CREATE INDEX customer_bounced ON customer (workshop_id) WHERE bounced_email IS NOT NULL;

-- How many bounces came, by what became of them: for the metrics.
CREATE TABLE bounce_count (
  outcome text PRIMARY KEY,
  count bigint NOT NULL
);
