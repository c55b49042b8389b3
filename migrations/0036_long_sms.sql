-- Customers' long SMS, whose parts a carrier brings one by one, to any process.
CREATE TABLE long_sms (
  id         uuid PRIMARY KEY, -- the gateway's id of the message, once it is put together
  gateway    text NOT NULL,
  sender     text NOT NULL,
  recipient  text NOT NULL,
  series     integer NOT NULL, -- the same number in all parts; carriers use it again
  total      smallint NOT NULL,
  parts      bytea[] NOT NULL, -- their octets as they came: a character may be cut in two, so they are joined before they are decoded; null: it has not come
  charsets   text[] NOT NULL, -- of the octets, part by part
  state      text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'recorded')), -- closed: it takes no more parts, and is to be recorded
  is_current boolean NOT NULL DEFAULT true, -- false: the series has begun anew
  begun_at   timestamptz NOT NULL, -- machine clock, like the next
  due_at     timestamptz NOT NULL  -- when it is recorded with the parts at hand, or tried again; of one that is recorded: when it is deleted
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX long_sms_current ON long_sms (gateway, sender, recipient, series, total) WHERE is_current;
CREATE INDEX long_sms_due ON long_sms (due_at);
CREATE INDEX long_sms_sender ON long_sms (sender);
