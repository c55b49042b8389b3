/** `pitlane secret-key`: when the installation's key is lost. */
import type { Command } from 'commander';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

const about = `
For an installation whose secret key is lost: a database refuses servers with another one. The key of these settings becomes the
installation's. What the lost one encrypted stays unreadable: make links to booking pages again (workshop booking-link), and ask
partners to rotate the secrets of their webhooks; replies by e-mail to notices sent so far come back. Stop servers and workers first.

To change a key that is not lost, list it in PITLANE_FORMER_SECRET_KEYS instead: then nothing is lost.
`;

export function registerSecretKey(program: Command): void {
  const examples = ['secret-key replace'];
  const secretKey = group(program, 'secret-key', "the installation's secret key", examples);
  const replace = {
    usage: 'replace',
    summary: 'make the key of these settings that of the installation, when the one before is lost',
    examples,
  };
  verb(secretKey, replace, () =>
    withSession(async ({ db, config }) => {
      const { replaceKey } = await import('#platform/key-fingerprint/replace.ts');
      const { before, now } = await replaceKey(db, config);
      return {
        json: { before, now },
        text:
          before === now
            ? `the key is that of the installation already (fingerprint ${now})`
            : `the installation has the key with the fingerprint ${now} now`,
      };
    }),
  ).addHelpText('after', about.trimEnd());
}
