-- Whether the database takes writes: GET /health/ready writes here. Machine clock.
CREATE TABLE write_probe (
  single     boolean PRIMARY KEY DEFAULT true CHECK (single),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO write_probe DEFAULT VALUES;
