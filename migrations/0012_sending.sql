-- One way out: everything that is sent is a row of `message`, and what is still to be done for it a row of `queued_message`.

ALTER TABLE message
  ADD COLUMN channel        text NOT NULL DEFAULT 'sms' CHECK (channel IN ('sms', 'email')),
  ADD COLUMN kind           text CHECK (kind IN ('partnerMessage', 'reply', 'confirmation', 'bookingNotice', 'inboxDigest', 'inbound')),
  ADD COLUMN audience       text NOT NULL DEFAULT 'customer' CHECK (audience IN ('customer', 'workshop')),
  ADD COLUMN cause_id       uuid,        -- what it follows from: an event, a round of a digest, the message that it confirms
  ADD COLUMN subject        text,        -- of an e-mail
  ADD COLUMN series_id      uuid,        -- messages of one series to one recipient go out in the order of their numbers
  ADD COLUMN series_number  integer,
  ADD COLUMN handed_over_at timestamptz, -- machine clock: the latest hand-over that was accepted, or whose outcome is unknown
  ALTER COLUMN conversation_id DROP NOT NULL,
  ALTER COLUMN customer_id DROP NOT NULL,
  ALTER COLUMN encoding DROP NOT NULL,
  ALTER COLUMN segments DROP NOT NULL,
  DROP CONSTRAINT message_state_check,
  ADD CONSTRAINT message_state_check CHECK (state IN ('sending', 'accepted', 'failed', 'unknown', 'delivered', 'undelivered', 'expired', 'superseded', 'received'));

-- A process of the release before this one says no kind while it still runs.
CREATE FUNCTION message_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.kind := CASE
    WHEN NEW.direction = 'inbound' THEN 'inbound'
    WHEN NEW.partner_id IS NOT NULL THEN 'partnerMessage'
    WHEN NEW.despite_opt_out THEN 'confirmation'
    ELSE 'reply' END;
  RETURN NEW;
END $$;
CREATE TRIGGER message_kind BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.kind IS NULL) EXECUTE FUNCTION message_kind();

UPDATE message SET kind = CASE
  WHEN direction = 'inbound' THEN 'inbound'
  WHEN partner_id IS NOT NULL THEN 'partnerMessage'
  WHEN despite_opt_out THEN 'confirmation'
  ELSE 'reply' END;
ALTER TABLE message ALTER COLUMN kind SET NOT NULL;

ALTER TABLE message
  ADD CONSTRAINT message_sms CHECK (channel <> 'sms' OR encoding IS NOT NULL AND segments IS NOT NULL),
  ADD CONSTRAINT message_customer_sms CHECK (channel <> 'sms' OR audience <> 'customer' OR conversation_id IS NOT NULL AND customer_id IS NOT NULL),
  ADD CONSTRAINT message_series CHECK ((series_id IS NULL) = (series_number IS NULL));
CREATE UNIQUE INDEX message_cause ON message (cause_id, kind, audience, channel, recipient) WHERE cause_id IS NOT NULL;
CREATE INDEX message_series ON message (series_id) WHERE series_id IS NOT NULL;
-- Only these answer a conversation, or move it up in the inbox.
CREATE INDEX message_conversation_order ON message (conversation_id, id) WHERE kind IN ('partnerMessage', 'reply', 'inbound');
DROP INDEX message_workshop;
CREATE INDEX message_workshop ON message (workshop_id, id) WHERE kind IN ('partnerMessage', 'reply', 'inbound');

-- Outcomes are recorded by HOT updates: no index names a column that an outcome changes, and pages have room.
DROP INDEX message_attempt_sending;
ALTER TABLE message SET (fillfactor = 50);
ALTER TABLE message_attempt SET (fillfactor = 40);

-- When an SMS of any kind was last handed over to this customer (machine clock): whose STOP it is.
ALTER TABLE conversation ADD COLUMN last_sent_at timestamptz;

-- Messages for which something is still to be done: to send, to retry, to ask the gateway about, or to be given up.
CREATE TABLE queued_message (
  message_id      uuid PRIMARY KEY,
  workshop_id     uuid NOT NULL,
  channel         text NOT NULL,
  class           smallint,             -- null: it is being sent inside a request, and nothing claims it
  due_at          timestamptz NOT NULL, -- machine clock; of one that is being sent: the end of its lease
  attempt_id      uuid,                 -- being handed over, or in doubt; null: to be sent
  in_flight       boolean NOT NULL DEFAULT false, -- a process has it until `due_at`
  tries           smallint NOT NULL DEFAULT 0,    -- attempts and look-ups
  first_tried_at  timestamptz,                    -- machine clock
  repeats_unknown boolean NOT NULL DEFAULT false, -- the next attempt repeats one that may have arrived
  series_id       uuid,
  series_number   integer,
  recipient       text NOT NULL,        -- of a series: who gets it
  created_at      timestamptz NOT NULL, -- machine clock
  expires_at      timestamptz           -- machine clock: how long it may wait for a gateway
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX queued_message_due ON queued_message (workshop_id, channel, class, due_at, message_id) WHERE class IS NOT NULL;
CREATE INDEX queued_message_in_request ON queued_message (due_at) WHERE class IS NULL;
CREATE INDEX queued_message_series ON queued_message (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX queued_message_expiry ON queued_message (expires_at) WHERE expires_at IS NOT NULL;

-- Whose turn it is: the queue of one workshop, channel and class. Only those who claim write to it.
CREATE TABLE send_queue (
  workshop_id uuid NOT NULL,
  channel     text NOT NULL,
  class       smallint NOT NULL, -- 0 conversations, 1 notices, 2 campaigns
  route       text NOT NULL,     -- email, sms, or sms:kannel,twilio where the workshop has chosen its gateways
  next_at     timestamptz,       -- machine clock: when it is due, in the order of which queues take turns; null: it is empty
  version     bigint NOT NULL DEFAULT 0, -- rises with each change, so that a claim sees that its snapshot is older than the row that it holds
  PRIMARY KEY (workshop_id, channel, class)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX send_queue_turn ON send_queue (route, class, next_at) WHERE next_at IS NOT NULL;

-- A queue has something due from this time on. Written by whoever queues a message, in the same commit and without a lock; taken by
-- whoever claims.
CREATE TABLE send_wake (
  workshop_id uuid NOT NULL,
  channel     text NOT NULL,
  class       smallint NOT NULL,
  due_at      timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
