-- The codes of links by which somebody stops a workshop's reminders and campaigns, where the sender can't be answered: one for each such
-- text. A customer is found by the number that the text went to.
SET LOCAL lock_timeout = '10s';
CREATE TABLE way_out (
  code        text PRIMARY KEY,
  workshop_id uuid NOT NULL REFERENCES workshop,
  phone       text NOT NULL,
  expires_at  timestamptz NOT NULL
);
CREATE INDEX way_out_phone ON way_out (phone, workshop_id);
CREATE INDEX way_out_over ON way_out (expires_at);

-- What mailbox providers say of all e-mails of this installation: a row for each sort of refusal, whatever the number of e-mails.
CREATE TABLE mail_refusal (
  kind     text PRIMARY KEY,
  detail   text NOT NULL,
  count    integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  told_at  timestamptz NOT NULL
);

-- What the operator has said of the names that workshops send under: registered with this gateway.
CREATE TABLE sms_name_registered (
  workshop_id uuid NOT NULL REFERENCES workshop,
  gateway     text NOT NULL,
  name        text NOT NULL,
  said_at     timestamptz NOT NULL,
  PRIMARY KEY (workshop_id, gateway)
);
