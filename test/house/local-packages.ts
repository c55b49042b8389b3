/** The house rule about the packages of this repository: `packages/`. */
import { finding, type Rule } from './rule.ts';
import { isProduct, localPackageOf, packages, references } from './source.ts';

const standsAlone: Rule = {
  name: 'a local package stands alone, and is loaded when it is needed',
  instead:
    "a package takes what it needs as an argument (packages/smpp/src/host.ts); the product imports its types, and `await import('#smpp')`",
  find: (files) =>
    files.filter(isProduct).flatMap((file) => {
      const own = localPackageOf(file.path);
      const foreign = references(file).filter(({ path }) => localPackageOf(path) !== own);
      if (own !== undefined) {
        const libraries = packages(file).filter(({ name }) => !name.startsWith('node:'));
        return [
          ...foreign.map(({ path, at }) => finding(file, at, `imports ${path}, which is not of the package`)),
          ...libraries.map(({ name, at }) => finding(file, at, `imports ${name}`)),
        ];
      }
      return foreign.flatMap(({ path, at }) => {
        if (!path.endsWith('/src/index.ts')) return [finding(file, at, `imports ${path}, not the index`)];
        const before = file.code.slice(0, at);
        const isLate = /\bimport\s*\(\s*$/.test(before) || /\bimport\s+type\s[^;'"]*$/.test(before);
        return isLate ? [] : [finding(file, at, `loads ${path} at the start`)];
      });
    }),
  bad: [
    { 'packages/smpp/src/smpp.ts': "import type { Clock } from '#base/clock.ts';" },
    { 'packages/smpp/src/smpp.ts': "import { x } from '../../other/src/index.ts';" },
    { 'packages/smpp/src/smpp.ts': "import pino from 'pino';" },
    { 'src/gateways.ts': "import { smppSms } from '#smpp';" },
    { 'src/gateways.ts': "import { type SmppOptions } from '#smpp';" },
    { 'src/gateways.ts': "const { pdu } = await import('../packages/smpp/src/pdu.ts');" },
  ],
  good: [
    { 'packages/smpp/src/smpp.ts': "import { connect } from 'node:net';\nimport { x } from './pdu.ts';" },
    {
      'src/gateways.ts':
        "import type { SmppOptions } from '#smpp';\nconst { smppSms } = await import('#smpp');\nconst id = '#main';",
    },
    {
      'packages/smpp/test/connect.ts':
        "import { smppHost } from '../../../src/platform/gateways/sms/smpp.ts';",
    },
  ],
};

export const localPackageRules: readonly Rule[] = [standsAlone];
