/** All house rules. */

import { changes } from './changes.ts';
import { citationRules } from './citations.ts';
import { codeRules } from './code.ts';
import { commentRules } from './comments.ts';
import { flakyRules } from './flaky.ts';
import { formRules } from './forms.ts';
import { functionRules } from './functions.ts';
import { httpRules } from './http.ts';
import { localPackageRules } from './local-packages.ts';
import { lookUpRules } from './look-ups.ts';
import { pageRules } from './pages.ts';
import { provenRules } from './proven.ts';
import { repositoryRules } from './repository.ts';
import type { Rule } from './rule.ts';
import { schemaRules } from './schema.ts';
import { sqlRules } from './sql.ts';
import { sqlClockRules } from './sql-clock.ts';
import { treeRules } from './tree.ts';
import { wordRules } from './words.ts';

export const rules: readonly Rule[] = [
  ...treeRules,
  ...localPackageRules,
  ...pageRules,
  ...codeRules,
  changes,
  ...lookUpRules,
  ...sqlRules,
  ...sqlClockRules,
  ...httpRules,
  ...formRules,
  ...repositoryRules,
  ...schemaRules,
  ...functionRules,
  ...wordRules,
  ...commentRules,
  ...citationRules,
  ...provenRules,
  ...flakyRules,
];
