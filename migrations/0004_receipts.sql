-- What became of SMS: reports that name a segment by the gateway's own id, and the version of a message.

-- Rises with each change of the message's state; its events carry it.
ALTER TABLE message ADD COLUMN version integer NOT NULL DEFAULT 1;
-- Until now events carried the number of attempts: the next one must be later than these.
UPDATE message SET version = attempts WHERE attempts > 1;

-- The segments of accepted SMS, where a gateway reports of each. Acceptance and report make the row, whichever comes first.
CREATE TABLE sms_segment (
  gateway     text NOT NULL,
  segment_id  text NOT NULL, -- the gateway's; with our reference before it where the report names that too
  reference   uuid,          -- our reference of the attempt; null until the acceptance is recorded
  segments    integer,       -- how many the SMS has; null where nobody has said
  state       text CHECK (state IN ('delivered', 'undelivered', 'expired')), -- null until reported; the first report counts
  detail      text,
  reported_at timestamptz,          -- machine clock
  created_at  timestamptz NOT NULL, -- machine clock
  PRIMARY KEY (gateway, segment_id)
);
CREATE INDEX sms_segment_reference ON sms_segment (reference) WHERE reference IS NOT NULL;
CREATE INDEX sms_segment_matched ON sms_segment (created_at) WHERE reference IS NOT NULL;
CREATE INDEX sms_segment_unmatched ON sms_segment (created_at) WHERE reference IS NULL;

-- Sent again, once, although the attempt before it may have arrived.
ALTER TABLE notification ADD COLUMN repeats_unknown boolean NOT NULL DEFAULT false;
ALTER TABLE answer_notice ADD COLUMN repeats_unknown boolean NOT NULL DEFAULT false;
