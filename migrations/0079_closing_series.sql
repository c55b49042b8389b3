-- Closings that one form made belong together, and can be taken back at once. What processes of the release before write belongs to none.
SET LOCAL lock_timeout = '10s';
ALTER TABLE bay_block ADD COLUMN series_id uuid;
