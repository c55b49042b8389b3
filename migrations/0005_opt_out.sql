-- Notices by SMS: what they come to, and those that go although their customer has opted out.

-- Of an SMS: its segments as carriers count them, once its text is composed.
ALTER TABLE notification
  ADD COLUMN segments integer,
  ADD COLUMN despite_opt_out boolean NOT NULL DEFAULT false; -- the operator's setting lets it go
ALTER TABLE answer_notice ADD COLUMN segments integer;
