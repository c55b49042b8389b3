-- Every message has one of the kinds. By itself, so that messages are read and written meanwhile.
SET LOCAL lock_timeout = '10s';
ALTER TABLE message VALIDATE CONSTRAINT message_kind_check;
