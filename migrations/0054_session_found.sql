-- The customers that a session was shown by searching or listing within the last hour: what bounds how many it may read out. Unlogged: no
-- backup has them, and after a crash the count begins anew.
SET LOCAL lock_timeout = '10s';

CREATE UNLOGGED TABLE session_found (
  session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
  customer_id uuid NOT NULL,
  -- When it was counted, by the machine's clock; for an hour it is not counted again.
  at timestamptz NOT NULL,
  PRIMARY KEY (session_id, customer_id)
);
CREATE INDEX session_found_old ON session_found (at);
