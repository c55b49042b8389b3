/** Columns are read in camelCase; values, and names that are so already, stay as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { recordset } from './parameters.ts';

const { db } = await createTestDatabase();

test('columns of a result are camelCase, and what a value holds is not touched', async () => {
  const rows = await db.query(
    `SELECT 1 AS partner_id, 2 AS sms_gateways_2, 3 AS plain, 4 AS "isOpen", '{"a_b":5}'::jsonb AS the_json`,
  );
  assert.deepEqual(rows, [{ partnerId: 1, smsGateways2: 2, plain: 3, isOpen: 4, theJson: { a_b: 5 } }]);
});

test('rows of a set are read by their columns', async () => {
  const rows = await db.query(
    'SELECT * FROM jsonb_to_recordset($1::jsonb) AS r (workshop_id int, due_at timestamptz, extra jsonb)',
    [recordset([{ workshopId: 7, dueAt: new Date(0), extra: { leftAlone: true } }])],
  );
  assert.deepEqual(rows, [{ workshopId: 7, dueAt: new Date(0), extra: { leftAlone: true } }]);
});
