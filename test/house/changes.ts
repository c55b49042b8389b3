/** House rule about who opens a transaction. */
import { matches, type Rule } from './rule.ts';
import { isProduct } from './source.ts';

export const changes: Rule = {
  name: 'a transaction is opened in src/platform only',
  instead:
    'call change of #platform/change/change.ts: it commits what the verb writes, keeps the key of its form, and wakes relay and sender',
  find: (files) =>
    matches(
      files,
      (file) => isProduct(file) && !file.path.startsWith('src/platform/'),
      'code',
      /\.\s*transaction\s*(?=[(<])|\{[^{}]*\btransaction\b[^{}]*\}\s*=/g,
    ),
  bad: [
    { 'src/product/bookings/create.ts': 'await db.transaction(async (tx) => write(tx));' },
    { 'src/console/bookings/new.ts': 'context.db\n  .transaction(async (tx) => write(tx));' },
    { 'src/operation/demo/demo.ts': 'db.transaction<void>(work);' },
    { 'src/commands/booking.ts': 'const { transaction } = db;' },
  ],
  good: [
    {
      'src/platform/change/change.ts': 'db.transaction(work)',
      'src/dead-letters.ts': 'change(context, work)',
    },
    { 'src/product/bookings/create.test.ts': 'db.transaction(work)' },
    { 'src/product/bookings/create.ts': "// db.transaction(work)\nconst t = 'a transaction (of ours)';" },
  ],
};
