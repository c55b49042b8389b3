-- What the pages of a workshop show of it, beside what they know already.
ALTER TABLE workshop
  -- Said behind totals: incl. GST.
  ADD COLUMN tax_label         text,
  ADD COLUMN privacy_url       text,
  ADD COLUMN terms_url         text,
  ADD COLUMN cancellation_text text;

ALTER TABLE catalogue_service ADD COLUMN description text;

-- The logo of a workshop: bytes that were checked, of the kind that they are served as.
CREATE TABLE workshop_logo (
  workshop_id uuid        PRIMARY KEY REFERENCES workshop (id),
  -- Of the content. It stands in the address, so that browsers may keep the picture.
  digest      text        NOT NULL,
  kind        text        NOT NULL CHECK (kind IN ('png', 'jpeg', 'webp')),
  width       integer     NOT NULL CHECK (width > 0),
  height      integer     NOT NULL CHECK (height > 0),
  content     bytea       NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 524288),
  updated_at  timestamptz NOT NULL
);

-- Two workshops may have the same logo.
CREATE INDEX workshop_logo_digest ON workshop_logo (digest);
