-- Who was merged into a customer: few ever are. By itself, so that customers are read meanwhile.
SET LOCAL lock_timeout = '10s';
CREATE INDEX customer_merged ON customer (merged_into) WHERE merged_into IS NOT NULL;
