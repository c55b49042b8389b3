-- What the bookings of before occupy, by itself, so that others are read and written meanwhile.
SET LOCAL lock_timeout = '10s';

-- A slot of the default length from their date. Those of the past are left out: what is past is never offered, whoever had it.
UPDATE booking
   SET occupied_from = date, occupied_until = date + interval '30 minutes',
       counted_services = CASE WHEN services <> '[]' THEN array_fill(NULL::uuid, ARRAY[jsonb_array_length(services)])
                               WHEN service_category IS NOT NULL THEN ARRAY[NULL::uuid] ELSE '{}' END,
       counted_categories = CASE WHEN services <> '[]'
         THEN ARRAY(SELECT coalesce(nullif(item ->> 'category', ''), 'others') FROM jsonb_array_elements(services) AS item)
         WHEN service_category IS NOT NULL THEN ARRAY[service_category] ELSE '{}' END
 WHERE status <> 'cancelled' AND date >= created_at AND date > clock_timestamp() - interval '2 days';
