-- Queues under a long snapshot, such as a backup's: vacuum can't remove what was done, so readers begin after it.
SET LOCAL lock_timeout = '10s';

-- When it was written; machine clock.
ALTER TABLE send_wake ADD COLUMN queued_at timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE INDEX send_wake_order ON send_wake (queued_at);
ALTER TABLE webhook_wake ADD COLUMN queued_at timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE INDEX webhook_wake_order ON webhook_wake (queued_at);

-- Rows that change soon after they were written: what is dead of them goes early.
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
ALTER TABLE webhook_wake SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhook_lane SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE message_rate SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE blast_recipient SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
