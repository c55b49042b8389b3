-- What staff note of a day.
SET LOCAL lock_timeout = '10s';

CREATE TABLE day_note (
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  -- In the workshop's zone.
  date        date NOT NULL,
  -- Empty: it was cleared. The row stays, so that its version goes on.
  text        text NOT NULL,
  version     integer NOT NULL,
  actor       text NOT NULL,
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (workshop_id, date)
);
CREATE INDEX day_note_age ON day_note (date);
