-- Which secret key the installation has: a process with another one would make links that nobody else can read. Fingerprints, never keys.
CREATE TABLE secret_key (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  fingerprint text    NOT NULL,
  -- Of the former keys that processes with this one still read by.
  former      text[]  NOT NULL
);
