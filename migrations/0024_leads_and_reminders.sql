-- Calls that partners report.
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
