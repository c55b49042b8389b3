-- Where customers bring their cars: for invitations, e-mails and pages. Null: not known.
ALTER TABLE workshop ADD COLUMN address text;
