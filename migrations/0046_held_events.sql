-- Events that wait, since whoever made the change may take it back for some seconds. While an event is held its relayed_at is
-- 'infinity': a relay of a release before this one does not claim it by itself, but with a later event of its subject.
CREATE TABLE held_event (
  event_id       uuid PRIMARY KEY,
  -- What was changed, and its version after the change: a later version ends the wait.
  record_id      uuid        NOT NULL,
  record_version integer     NOT NULL,
  -- Machine time.
  held_until     timestamptz NOT NULL,
  -- The changed row as it was before; null once the wait has ended.
  previous       jsonb
);
CREATE INDEX held_event_until ON held_event (held_until);
CREATE INDEX held_event_record ON held_event (record_id);

-- When an event was taken back (machine time): it was never relayed.
ALTER TABLE event ADD COLUMN withdrawn_at timestamptz;
