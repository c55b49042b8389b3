-- Rows of other systems' files that were imported, and the files themselves between their dry run and their import.
SET LOCAL lock_timeout = '10s';

-- A row that is imported again is left alone.
CREATE TABLE import_row (
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  row_sha256  bytea NOT NULL, -- of its reference, else of its content with its occurrence in the file
  record_id   uuid NOT NULL, -- the booking, else the customer
  imported_at timestamptz NOT NULL, -- machine's clock
  PRIMARY KEY (workshop_id, row_sha256)
);
CREATE INDEX import_row_age ON import_row (imported_at);

CREATE TABLE import_file (
  id          uuid PRIMARY KEY,
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  actor       text NOT NULL, -- who sent it
  kind        text NOT NULL CHECK (kind IN ('customers', 'bookings')),
  file_name   text NOT NULL,
  date_order  text CHECK (date_order IN ('dmy', 'mdy')), -- null: ISO alone, and what can be read in one way only
  state       text NOT NULL CHECK (state IN ('checked', 'importing', 'imported', 'stopped')),
  content     bytea, -- null: it is not needed any more
  report      jsonb NOT NULL, -- of the dry run: counts, the first faults, columns that are ignored
  taken       integer NOT NULL DEFAULT 0, -- rows of the file that are done
  counts      jsonb, -- what was made of them
  changed_at  timestamptz NOT NULL -- machine's clock
);
CREATE INDEX import_file_workshop ON import_file (workshop_id, id);
CREATE INDEX import_file_importing ON import_file (id) WHERE state = 'importing';
CREATE INDEX import_file_age ON import_file (changed_at);
