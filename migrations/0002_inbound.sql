-- What customers answer: where an answer belongs, how the workshop is told of it, and texts that a job sends.

-- By which way the workshop is told; and when it was last told (machine clock), since answers are told of together.
ALTER TABLE workshop
  ADD COLUMN inbox_notices text NOT NULL DEFAULT 'email' CHECK (inbox_notices IN ('email', 'sms', 'both', 'off')),
  ADD COLUMN answers_told_at timestamptz;
-- The SMS gateways that it goes through, in the order in which they are tried; null: the installation's.
ALTER TABLE workshop
  ADD COLUMN sms_gateways text[] CHECK (cardinality(sms_gateways) BETWEEN 1 AND 10);
-- Answers find their workshop by the number that they were sent to.
CREATE INDEX workshop_sms_sender ON workshop (sms_sender) WHERE sms_sender IS NOT NULL;

-- Of an inbound message, `recipient` is the phone of the customer who wrote it.
ALTER TABLE message
  ADD COLUMN gateway text,
  ADD COLUMN gateway_message_id text,
  ADD COLUMN despite_opt_out boolean NOT NULL DEFAULT false, -- the confirmation of an opt-out, and nothing else
  ADD COLUMN notice_due boolean NOT NULL DEFAULT false,      -- the workshop is still to be told of it
  ADD COLUMN told_in uuid;                                   -- the round of notices that told of it
CREATE UNIQUE INDEX message_inbound ON message (gateway, gateway_message_id) WHERE gateway_message_id IS NOT NULL;
CREATE INDEX message_notice_due ON message (workshop_id) WHERE notice_due;
CREATE INDEX message_told_in ON message (told_in) WHERE told_in IS NOT NULL;
-- The inbox by its latest messages.
CREATE INDEX message_workshop ON message (workshop_id, id);

-- Who knows a phone, and who wrote to it last.
CREATE INDEX customer_phone ON customer (phone) WHERE phone IS NOT NULL;
CREATE INDEX notification_phone ON notification (recipient, workshop_id, id) WHERE channel = 'sms' AND audience = 'customer';

-- Answers from nobody known to no workshop's number: kept until they find their place.
CREATE TABLE unplaced_sms (
  id                 uuid PRIMARY KEY,
  gateway            text NOT NULL,
  gateway_message_id text NOT NULL,
  sender             text NOT NULL,
  recipient          text NOT NULL,
  body               text NOT NULL,
  created_at         timestamptz NOT NULL,
  UNIQUE (gateway, gateway_message_id)
);
CREATE INDEX unplaced_sms_sender ON unplaced_sms (sender);

-- What tells a workshop of its customers' answers; a round tells of several. It holds nothing of what they wrote.
CREATE TABLE answer_notice (
  id          uuid PRIMARY KEY,
  round       uuid NOT NULL,
  workshop_id uuid NOT NULL REFERENCES workshop,
  channel     text NOT NULL CHECK (channel IN ('sms', 'email')),
  recipient   text NOT NULL,
  state       text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired')),
  reason      text,
  detail      text,
  gateway     text,
  gateway_id  text,
  attempt_id  uuid, -- our reference at the gateway
  attempts    integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  UNIQUE (round, channel, recipient)
);
CREATE INDEX answer_notice_attempt ON answer_notice (attempt_id);
