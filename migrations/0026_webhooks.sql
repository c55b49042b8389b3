-- Webhooks: what partners registered, what is published to each partner, and what is delivered to each endpoint.

-- Where the operator's notices to a partner go.
ALTER TABLE partner ADD COLUMN email text;

CREATE TABLE webhook (
  id uuid PRIMARY KEY,
  partner_id uuid NOT NULL REFERENCES partner (id),
  -- Null: all workshops that the partner is linked to.
  workshop_id uuid,
  url text NOT NULL,
  method text NOT NULL CHECK (method IN ('POST', 'PUT', 'PATCH')),
  actions text[] NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('partner', 'operator', 'gone', 'failing')),
  max_concurrent smallint NOT NULL DEFAULT 5 CHECK (max_concurrent BETWEEN 1 AND 50),
  -- The e-mail that tells the partner of the disablement: its id, and, while it is to be sent, when (machine time).
  notice_id uuid,
  notice_due_at timestamptz,
  notice_tries smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (partner_id, workshop_id) REFERENCES link (partner_id, workshop_id),
  CONSTRAINT webhook_disabled CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL))
);
CREATE INDEX webhook_partner ON webhook (partner_id, workshop_id, id);
CREATE INDEX webhook_notice_due ON webhook (notice_due_at) WHERE notice_due_at IS NOT NULL;

-- The secrets that sign: the present one, and those that a rotation has left with some hours to go.
CREATE TABLE webhook_secret (
  webhook_id uuid NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  -- Sealed under the installation's key.
  sealed text NOT NULL,
  -- Machine time; null: the present one.
  expires_at timestamptz,
  PRIMARY KEY (webhook_id, id)
);

-- The lane of an endpoint: when it has something due, and how its receiver does. Machine time.
CREATE TABLE webhook_lane (
  webhook_id uuid PRIMARY KEY REFERENCES webhook (id) ON DELETE CASCADE,
  -- Null: nothing is waiting.
  next_at timestamptz,
  -- Attempts that have failed since the last that succeeded; the first and the last of them.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  failed_at timestamptz,
  -- Set while the receiver fails: the next probe goes no earlier.
  probe_at timestamptz,
  -- Rises with each change, so that a claim with an older snapshot sees that it is outdated.
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX webhook_lane_next ON webhook_lane (next_at) WHERE next_at IS NOT NULL;

-- A row says that a lane has something due. Written in the commit of the deliveries, without a lock on the lane.
CREATE TABLE webhook_wake (webhook_id uuid NOT NULL);

-- Which event each partner is notified of, as which action: the feed, and the source of deliveries.
CREATE TABLE partner_event (
  -- Of the event.
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  workshop_id uuid NOT NULL,
  action text NOT NULL,
  -- When it happened; business time. Named as feeds name it.
  updated_at timestamptz NOT NULL,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (id, partner_id)
);
CREATE INDEX partner_event_feed ON partner_event (partner_id, changed_in, id);

-- One event for one endpoint. The row is its own place in the queue, and its own log.
CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL,
  -- The delivery's own id in a test call, which no event is behind.
  event_id uuid NOT NULL,
  action text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  -- [{ at, responseStatus, durationMs, error }], oldest first; `at` is business time.
  attempts jsonb NOT NULL DEFAULT '[]',
  -- Attempts since it was queued, or was replayed.
  tries smallint NOT NULL DEFAULT 0,
  -- Machine time: when it is due, or when the lease of the attempt under way ends; null when it is settled.
  due_at timestamptz,
  in_flight boolean NOT NULL DEFAULT false,
  attempt_id uuid,
  -- When the last attempt began, and when it was queued first; business time.
  attempted_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_delivery_waiting CHECK ((status = 'waiting') = (due_at IS NOT NULL)),
  CONSTRAINT webhook_delivery_in_flight CHECK (NOT in_flight OR attempt_id IS NOT NULL)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_id, status, created_at, id);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_in_flight ON webhook_delivery (webhook_id, due_at) WHERE in_flight;
