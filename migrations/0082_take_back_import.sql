-- What an import made and changed, kept while it can be taken back; what the columns of files mean by a person's choice; and cars of a customer that are
-- one, whatever the punctuation of their registrations.
SET LOCAL lock_timeout = '10s';

CREATE TABLE import_run (
  id          uuid PRIMARY KEY, -- of a file that was sent on a page: the file's
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  kind        text NOT NULL CHECK (kind IN ('customers', 'bookings')),
  state       text NOT NULL CHECK (state IN ('written', 'takingBack', 'takenBack', 'stopped')),
  rows        integer NOT NULL, -- of the file, whose records are here
  began_at    timestamptz NOT NULL, -- machine's clock: no identity of its rows is older
  written_at  timestamptz NOT NULL, -- business time of its last rows
  actor       text, -- who takes it back
  after_kind  text NOT NULL DEFAULT '', -- how far that is: all until this record have been judged
  after_id    uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  counts      jsonb, -- what has gone, stayed and been set back
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp() -- machine's clock
);
CREATE INDEX import_run_workshop ON import_run (workshop_id, id);
CREATE INDEX import_run_taking_back ON import_run (id) WHERE state = 'takingBack';
CREATE INDEX import_run_age ON import_run (changed_at);

CREATE TABLE import_change (
  import_id   uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('booking', 'car', 'customer')),
  record_id   uuid NOT NULL,
  is_made     boolean NOT NULL, -- false: it was there
  mark        text NOT NULL, -- of the record as the import left it: changes with each change
  mark_before text, -- as the import found it; null: made
  fields      jsonb, -- of a record that was there: what it changed, each as [before, after]
  stays       text, -- why it was not taken back
  kept_from   timestamptz NOT NULL DEFAULT clock_timestamp(), -- machine's clock
  PRIMARY KEY (import_id, kind, record_id)
);
CREATE INDEX import_change_age ON import_change (kept_from);

-- Null: the previous release imported it.
ALTER TABLE import_row ADD COLUMN import_id uuid;

-- A booking that an import made can go. Messages name their booking without an index to find them by, which each deletion would read the whole table
-- for; a booking that has one stays.
ALTER TABLE message DROP CONSTRAINT message_booking_id_fkey;

-- The content of a file that is sent from now on stands apart: a process of the previous release would read it by its own rules.
ALTER TABLE import_file ADD COLUMN matched jsonb; -- the field of each column; null: by the headings
ALTER TABLE import_file ADD COLUMN file_content bytea;

CREATE TABLE import_form (
  workshop_id  uuid NOT NULL REFERENCES workshop (id),
  kind         text NOT NULL CHECK (kind IN ('customers', 'bookings')),
  heads_sha256 bytea NOT NULL, -- of the headings, in order
  matched      jsonb NOT NULL, -- the field of each column
  used_at      timestamptz NOT NULL, -- machine's clock
  PRIMARY KEY (workshop_id, kind, heads_sha256)
);

-- True: one with those of the customer whose registrations differ from its own in punctuation alone.
ALTER TABLE car ADD COLUMN same_car boolean NOT NULL DEFAULT false;
