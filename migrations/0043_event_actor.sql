-- Who made the change that an event records, and by which request: null in what a release before this one has recorded.
ALTER TABLE event ADD COLUMN actor text, ADD COLUMN request_id text;
