-- Opt-ins by staff and the operator, which providers that keep a list of their own are told after the commit, whatever crashes meanwhile.
SET LOCAL lock_timeout = '10s';

CREATE TABLE provider_opt_in (
  -- The provider's "correlation id": every attempt has the same.
  id uuid PRIMARY KEY,
  workshop_id uuid NOT NULL,
  -- The row of the customer whose number it is.
  customer_id uuid NOT NULL,
  -- The local day on which the customer agreed, where it is known.
  agreed_on date,
  state text NOT NULL CHECK (state IN ('waiting', 'told', 'refused', 'noCall', 'overtaken')),
  -- Why it was refused, for people; else null.
  detail text,
  attempts integer NOT NULL DEFAULT 0,
  -- The next attempt, or the end of the lease of the present one; machine clock. Null: it ended.
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id) ON DELETE CASCADE,
  CONSTRAINT provider_opt_in_waiting CHECK ((state = 'waiting') = (due_at IS NOT NULL))
);
CREATE INDEX provider_opt_in_due ON provider_opt_in (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX provider_opt_in_customer ON provider_opt_in (customer_id, id);
