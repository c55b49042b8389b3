-- Leases that have ended are found by one index, whether a request or the sender had them.
CREATE INDEX queued_message_in_flight ON queued_message (due_at) WHERE in_flight;
DROP INDEX queued_message_in_request;

-- Old messages that were still queued when the others of their time were forgotten: the next run looks at them again.
ALTER TABLE retention ADD COLUMN skipped uuid[] NOT NULL DEFAULT '{}';
