-- A customer's calls. Also for the checks of the foreign key.
SET LOCAL lock_timeout = '10s';
CREATE INDEX call_lead_customer ON call_lead (customer_id) WHERE customer_id IS NOT NULL;
