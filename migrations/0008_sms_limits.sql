-- How many SMS were handed over on a day (UTC, machine clock), of each partner and workshop that has a daily ceiling. Old days are deleted.
CREATE TABLE sms_day (
  day date NOT NULL,
  subject text NOT NULL CHECK (subject IN ('partner', 'workshop')),
  subject_id uuid NOT NULL,
  sent integer NOT NULL CHECK (sent >= 0),
  PRIMARY KEY (day, subject, subject_id)
);
