-- The octets of each part as they came: a character may be cut in two by the parts in any alphabet, so they are joined before they are
-- decoded. `texts` stays for processes of the version before, which know only that column.
ALTER TABLE long_sms
  ADD COLUMN octets bytea[],  -- null: no part that came has them
  ADD COLUMN charsets text[]; -- of the octets, part by part
