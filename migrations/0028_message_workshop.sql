-- The operator's list of a workshop's messages reads them by their ids. message_workshop has those of conversations, for the inbox;
-- this one has all others, so that each message stands in one of the two.
CREATE INDEX message_workshop_other ON message (workshop_id, id) WHERE kind NOT IN ('partnerMessage', 'reply', 'inbound');
