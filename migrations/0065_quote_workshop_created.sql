-- The report of a workshop counts its quotes by when they were asked for. By itself, so that messages are written meanwhile.
SET LOCAL lock_timeout = '10s';
CREATE INDEX quote_workshop_created ON quote (workshop_id, created_at) WHERE created_at IS NOT NULL;
