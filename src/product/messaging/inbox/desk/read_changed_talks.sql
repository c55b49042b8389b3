-- Edition 1.
-- Reads the talks of these customers anew; of the first a text failed.
CREATE OR REPLACE FUNCTION read_changed_talks(failing uuid[], others uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF failing IS NOT NULL AND others IS NOT NULL THEN
    -- All at once: each part holds its own in order, but the second may have one that comes before those of the first.
    PERFORM hold_talks(ARRAY(SELECT id FROM customer WHERE id = ANY (failing || others)
      UNION SELECT merged_into FROM customer WHERE id = ANY (failing || others) AND merged_into IS NOT NULL));
  END IF;
  IF failing IS NOT NULL THEN
    PERFORM read_talks(failing, true);
  END IF;
  IF others IS NOT NULL THEN
    PERFORM read_talks(others, false);
  END IF;
END $$;
