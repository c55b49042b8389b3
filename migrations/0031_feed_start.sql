-- Feeds survive the restore of a copy of the data folder, and their cursors show nothing of the installation.

-- Each start of PostgreSQL in which feeds were read. A cursor names the start that it was given out in. When the files of a
-- server are replaced by older ones, its transaction numbers go back too, and nothing else tells so: but the starts that came
-- after that moment are not in here any more, so their cursors are known to be of a history that is gone.
CREATE TABLE feed_start (
  -- Random, so that no two starts are taken for each other.
  number bigint PRIMARY KEY,
  -- pg_postmaster_start_time()
  started_at timestamptz NOT NULL UNIQUE,
  -- The transaction that recorded it: all places that cursors of earlier starts name lie before it.
  recorded_in xid8 NOT NULL UNIQUE
);

-- Cursors are sealed, which the release before this one can not read: until then they are given out as it knows them.
-- Null where it never ran.
ALTER TABLE feed_epoch ADD COLUMN plain_cursors_until timestamptz;
UPDATE feed_epoch SET plain_cursors_until = clock_timestamp() + interval '1 hour' WHERE EXISTS (SELECT FROM feed_mark);
