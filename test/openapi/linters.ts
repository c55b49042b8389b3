/** The rules that Redocly and Spectral recommend, with ours, and what they find in a document: severity, rule, place, words. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { type Check, undescribed, wordsWithoutEnum } from './property-rules.ts';

export type Linter = (document: object) => Promise<string[]>;

async function redocly(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  return found.map(({ severity, ruleId, message, location: [at] }) =>
    [severity, ruleId, at?.pointer, message].join(' '),
  );
}

const severities = ['error', 'warn', 'info', 'hint'];
const ofProperties = (check: Check) => ({
  severity: 'error' as const,
  given: '$.components.schemas..properties',
  // biome-ignore lint/suspicious/noThenProperty: Spectral calls it so.
  then: { function: check },
});

async function spectral(document: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  const oas: unknown = spectralRulesets.oas;
  linter.setRuleset({
    extends: [[oas as RulesetDefinition, 'recommended']],
    rules: {
      'property-description': ofProperties(undescribed),
      'words-enum': ofProperties(wordsWithoutEnum),
    },
  });
  const found = await linter.run(JSON.stringify(document));
  return found.map(({ severity, code, message, path }) =>
    [severities[severity], code, `#/${path.join('/')}`, message].join(' '),
  );
}

export const linters: Readonly<Record<'redocly' | 'spectral', Linter>> = { redocly, spectral };
