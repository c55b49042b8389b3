-- What was said to a customer and by them, a page at a time. By itself, so that other tables are written meanwhile.
SET LOCAL lock_timeout = '10s';
CREATE INDEX message_customer_history ON message (customer_id, id);
DROP INDEX message_customer;
ALTER INDEX message_customer_history RENAME TO message_customer;
