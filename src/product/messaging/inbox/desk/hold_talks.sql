-- Edition 1.
-- Holds the rows of these customers until the transaction ends, the newest customer first, and makes those that are missing.
CREATE OR REPLACE FUNCTION hold_talks(of_customers uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO talk (customer_id, workshop_id, merged_into)
  SELECT id, workshop_id, merged_into FROM customer WHERE id = ANY (of_customers) ORDER BY id DESC
  ON CONFLICT (customer_id) DO NOTHING;
  PERFORM FROM talk WHERE customer_id = ANY (of_customers) ORDER BY customer_id DESC FOR NO KEY UPDATE;
END $$;
