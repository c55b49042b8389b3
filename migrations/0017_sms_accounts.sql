-- The account of a workshop's own at a provider that the installation sends through: a Messaging Service of Twilio's, a
-- subaccount of MessageMedia's or ClickSend's.
CREATE TABLE sms_account (
  workshop_id uuid NOT NULL REFERENCES workshop (id),
  gateway text NOT NULL,
  account text NOT NULL,
  PRIMARY KEY (workshop_id, gateway)
);
