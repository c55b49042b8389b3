-- A delivery is replayed once a minute at most: when it was last (machine time). Null: never, or by the release before this one.
ALTER TABLE webhook_delivery ADD COLUMN replayed_at timestamptz;
