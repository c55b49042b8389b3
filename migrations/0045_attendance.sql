CREATE TABLE attendance (
  booking_id uuid PRIMARY KEY REFERENCES booking (id),
  state      text NOT NULL CHECK (state IN ('expected', 'here', 'ready', 'collected', 'didNotCome')),
  actor      text NOT NULL,
  at         timestamptz NOT NULL
);
