-- Whether a blast goes to numbers of other countries than the workshop's. What was triggered before keeps sending as it was previewed.
SET LOCAL lock_timeout = '10s';

ALTER TABLE blast ADD COLUMN other_countries boolean NOT NULL DEFAULT false;
UPDATE blast SET other_countries = true WHERE status IN ('scheduled', 'sending', 'paused');
