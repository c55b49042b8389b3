-- The report of a workshop counts its SMS by when they were made. The predicate leaves nothing out, and keeps the planner from using the index for
-- statements that do not ask for the instant. Without the state: a message changes it two or three times, and none of these updates would be HOT.
SET LOCAL lock_timeout = '10s';
CREATE INDEX message_workshop_created ON message (workshop_id, created_at) WHERE created_at IS NOT NULL;
