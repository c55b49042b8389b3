-- Automations and blasts, the messages that they send, and what stops or delays these while they are queued.
SET LOCAL lock_timeout = '10s';

ALTER TABLE partner ADD COLUMN campaigns_enabled boolean NOT NULL DEFAULT true;
ALTER TABLE customer ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- Notices of quotes and reminders too: every message is looked at once.
ALTER TABLE message DROP CONSTRAINT message_kind_check;
ALTER TABLE message ADD CONSTRAINT message_kind_check CHECK (kind IN (
  'partnerMessage', 'reply', 'confirmation', 'bookingNotice', 'quoteNotice', 'serviceReminder', 'inboxDigest', 'inbound',
  'automation', 'blast'));

-- Local times of the workshop between which the message is not handed over; both null: at any time.
ALTER TABLE queued_message
  ADD COLUMN quiet_from  time,
  ADD COLUMN quiet_until time;

-- Of a cause whose queued messages wait (paused) or are not sent any more (cancelled).
CREATE TABLE send_hold (
  cause_id   uuid PRIMARY KEY,
  state      text NOT NULL CHECK (state IN ('paused', 'cancelled')),
  created_at timestamptz NOT NULL -- machine clock
);
CREATE INDEX send_hold_age ON send_hold (created_at) WHERE state = 'cancelled';

CREATE TABLE automation (
  id             uuid PRIMARY KEY,
  workshop_id    uuid NOT NULL REFERENCES workshop (id),
  name           text NOT NULL,
  trigger_type   text NOT NULL CHECK (trigger_type IN ('manual', 'bookingCreated', 'bookingConfirmed', 'bookingCompleted', 'bookingCancelled',
                   'beforeBooking', 'callMissed', 'reminderSent')),
  offset_minutes integer NOT NULL CHECK (offset_minutes >= 0),
  conditions     jsonb NOT NULL DEFAULT '{}',
  template_id    uuid NOT NULL,
  quiet_from     time,
  quiet_until    time,
  status         text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  UNIQUE (workshop_id, id),
  FOREIGN KEY (workshop_id, template_id) REFERENCES template (workshop_id, id),
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);

-- One of each automation and cause, whatever restarts.
CREATE TABLE automation_run (
  id            uuid PRIMARY KEY,
  workshop_id   uuid NOT NULL,
  automation_id uuid NOT NULL,
  cause         text NOT NULL,        -- the booking (with the date that it goes by), the call, the reminder, the partner's reference
  partner_id    uuid REFERENCES partner (id), -- null: the workshop itself
  customer_id   uuid NOT NULL,
  booking_id    uuid,
  booking_date  timestamptz,          -- of what goes before a booking: the date that it goes by
  reference_id  text,
  status        text NOT NULL CHECK (status IN ('scheduled', 'queued', 'sent', 'failed', 'skipped')),
  reason        text,
  due_at        timestamptz NOT NULL, -- business clock
  sent_at       timestamptz,          -- business clock
  message_id    uuid,
  created_at    timestamptz NOT NULL,
  UNIQUE (automation_id, cause),
  FOREIGN KEY (workshop_id, automation_id) REFERENCES automation (workshop_id, id)
);
CREATE INDEX automation_run_due ON automation_run (due_at) WHERE status = 'scheduled';
CREATE INDEX automation_run_booking ON automation_run (booking_id) WHERE status IN ('scheduled', 'queued');
CREATE INDEX automation_run_list ON automation_run (automation_id, id) WHERE due_at IS NOT NULL;
CREATE INDEX automation_run_old ON automation_run (created_at) WHERE reference_id IS NULL AND status NOT IN ('scheduled', 'queued');

CREATE TABLE blast (
  id            uuid PRIMARY KEY,
  workshop_id   uuid NOT NULL REFERENCES workshop (id),
  name          text NOT NULL,
  template_id   uuid NOT NULL,
  audience      jsonb NOT NULL,
  status        text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled')),
  partner_id    uuid REFERENCES partner (id), -- who triggered it; null: the workshop itself
  reference_id  text,
  scheduled_at  timestamptz,
  started_at    timestamptz,
  ended_at      timestamptz,
  template_version integer,           -- fixed when sending begins, like the recipients
  queued_to     uuid,                 -- the last recipient, in the order of their ids, that was queued
  counts        jsonb,                -- when its recipients are deleted, what they were
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  UNIQUE (workshop_id, id),
  FOREIGN KEY (workshop_id, template_id) REFERENCES template (workshop_id, id)
);
CREATE INDEX blast_active ON blast (id) WHERE status IN ('scheduled', 'sending');
CREATE INDEX blast_ended ON blast (ended_at) WHERE counts IS NULL;

CREATE TABLE blast_recipient (
  blast_id    uuid NOT NULL REFERENCES blast (id) ON DELETE CASCADE,
  customer_id uuid NOT NULL,
  state       text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'queued', 'sent', 'delivered', 'failed', 'unknown', 'skipped')),
  reason      text,
  PRIMARY KEY (blast_id, customer_id)
) WITH (fillfactor = 70);
CREATE INDEX blast_recipient_queued ON blast_recipient (blast_id) WHERE state = 'queued';

-- Runs and recipients follow their messages in the same commit, so that counts are true at any moment. A message that failed
-- and is still queued will be tried again.
CREATE FUNCTION campaign_message_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  became text := CASE
    WHEN NEW.state = 'accepted' THEN 'sent'
    WHEN NEW.state IN ('delivered', 'unknown') THEN NEW.state
    WHEN NEW.state = 'sending' OR NEW.state = 'failed' AND EXISTS (SELECT FROM queued_message WHERE message_id = NEW.id) THEN 'queued'
    WHEN NEW.reason IN ('optedOut', 'erased', 'cancelled') THEN 'skipped'
    ELSE 'failed' END;
  why text := CASE became WHEN 'failed' THEN coalesce(NEW.reason, NEW.state) WHEN 'unknown' THEN NEW.reason WHEN 'skipped' THEN NEW.reason END;
BEGIN
  IF NEW.kind = 'blast' THEN
    UPDATE blast_recipient SET state = became, reason = why
     WHERE blast_id = NEW.cause_id AND customer_id = NEW.customer_id AND (state, reason) IS DISTINCT FROM (became, why);
  ELSE
    UPDATE automation_run
       SET status = CASE became WHEN 'delivered' THEN 'sent' WHEN 'unknown' THEN 'failed' ELSE became END, reason = why,
           sent_at = CASE WHEN became IN ('sent', 'delivered') THEN coalesce(sent_at, NEW.updated_at) ELSE sent_at END
     WHERE id = NEW.cause_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER message_campaign AFTER UPDATE OF state, reason ON message FOR EACH ROW
  WHEN (NEW.kind IN ('automation', 'blast')) EXECUTE FUNCTION campaign_message_changed();
