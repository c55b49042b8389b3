-- An e-mail about somebody's account that is no code is tried for a day, and then kept for the operator. What the previous release queues has the
-- moment too, and goes out as it did.
SET LOCAL lock_timeout = '10s';
ALTER TABLE account_email ADD COLUMN queued_at timestamptz NOT NULL DEFAULT clock_timestamp();
