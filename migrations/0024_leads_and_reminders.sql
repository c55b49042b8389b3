-- Calls that partners report, and reminders of a service.
SET LOCAL lock_timeout = '10s';

CREATE TABLE call_lead (
  id               uuid PRIMARY KEY,
  partner_id       uuid NOT NULL,
  workshop_id      uuid NOT NULL,
  customer_id      uuid,          -- of a person who was erased; else the phone says who it is
  external_id      text,
  caller_phone     text NOT NULL, -- E.164; empty once erased
  called_at        timestamptz NOT NULL,
  duration_seconds integer CHECK (duration_seconds >= 0),
  outcome          text NOT NULL CHECK (outcome IN ('answered', 'missed', 'voicemail')),
  was_missed       boolean NOT NULL, -- its callLead.missed is recorded
  source           text,
  recording_url    text,
  customer_name    text,
  notes            text,
  version          integer NOT NULL DEFAULT 1,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  FOREIGN KEY (partner_id, workshop_id) REFERENCES link (partner_id, workshop_id),
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id)
);
CREATE UNIQUE INDEX call_lead_external ON call_lead (partner_id, external_id, workshop_id) WHERE external_id IS NOT NULL;
-- A partner's list, newest call first, and the same at one workshop.
CREATE INDEX call_lead_called ON call_lead (partner_id, outcome, called_at, id) WHERE called_at IS NOT NULL;
CREATE INDEX call_lead_workshop_called ON call_lead (workshop_id, partner_id, outcome, called_at, id) WHERE called_at IS NOT NULL;
-- The calls of one person.
CREATE INDEX call_lead_caller ON call_lead (caller_phone, workshop_id);

-- Reminders of a car's next service.
CREATE TABLE service_reminder (
  id              uuid PRIMARY KEY,
  code            text NOT NULL CONSTRAINT service_reminder_code UNIQUE,
  partner_id      uuid NOT NULL,
  workshop_id     uuid NOT NULL,
  customer_id     uuid NOT NULL,
  car_id          uuid,
  last_service_id uuid,
  last_booking_id uuid,
  new_booking_id  uuid,
  external_id     text,
  reference_id    text,                   -- the Idempotency-Key of its request
  automatic       boolean NOT NULL,       -- scheduled by the workshop's reminderMonths
  customer        jsonb NOT NULL,         -- contact details that its partner knew when it was made
  car             jsonb,                  -- the same of the car; null: of no car
  status          text NOT NULL CHECK (status IN ('scheduled', 'sent', 'failed', 'booked', 'cancelled')),
  due_at          timestamptz NOT NULL,   -- business time
  taken_at        timestamptz,            -- business time: since then its SMS is under way, or done
  sent_at         timestamptz,
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  changed_in      xid8 NOT NULL DEFAULT pg_current_xact_id(),
  FOREIGN KEY (partner_id, workshop_id) REFERENCES link (partner_id, workshop_id),
  FOREIGN KEY (workshop_id, customer_id) REFERENCES customer (workshop_id, id)
);
CREATE TRIGGER service_reminder_change BEFORE UPDATE ON service_reminder FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE UNIQUE INDEX service_reminder_reference ON service_reminder (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL;
-- One for each completed booking, however often its event is relayed.
CREATE UNIQUE INDEX service_reminder_automatic ON service_reminder (last_booking_id) WHERE automatic;
CREATE INDEX service_reminder_due ON service_reminder (due_at) WHERE status = 'scheduled' AND taken_at IS NULL;
-- The feed; a partner's list, all of it or by status; the same at one workshop; by the partner's reference; of one customer.
CREATE INDEX service_reminder_feed ON service_reminder (partner_id, changed_in, id) WHERE changed_in IS NOT NULL;
CREATE INDEX service_reminder_status ON service_reminder (partner_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX service_reminder_workshop ON service_reminder (workshop_id, partner_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX service_reminder_external ON service_reminder (partner_id, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX service_reminder_customer ON service_reminder (customer_id, partner_id, id);
