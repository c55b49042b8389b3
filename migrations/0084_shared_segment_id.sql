-- Ids of segments that a carrier gives to several messages: they name none of them.
SET LOCAL lock_timeout = '10s';

ALTER TABLE sms_segment ADD COLUMN shared_at timestamptz; -- machine's clock: when it was last given to another message; null: it names one
-- Few or none.
CREATE INDEX sms_segment_shared ON sms_segment (created_at) WHERE shared_at IS NOT NULL;
