-- When an attempt started and finished by the business clock, which is what partners see. `started_at` and `finished_at` are
-- the machine's, which leases and time-outs go by.

ALTER TABLE message_attempt
  ADD COLUMN business_started_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- a process of the version before writes none
  ADD COLUMN business_finished_at timestamptz;

-- As long after the message was made as the machine's clock says.
UPDATE message_attempt AS a
   SET business_started_at = m.created_at + (a.started_at - first.started_at),
       business_finished_at = m.created_at + (a.finished_at - first.started_at)
  FROM message m JOIN message_attempt first ON first.message_id = m.id AND first.number = 1
 WHERE a.message_id = m.id;
