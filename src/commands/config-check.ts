/**
 * `pitlane config check`: the faults of the settings, and their effect. It starts no database, changes nothing and calls nobody; where
 * SMS go out and the database answers, it reads which senders workshops use.
 */
import type { Command } from 'commander';
import { gatewayNames, outletsOf } from '#base/config/outlets.ts';
import { listenedOn } from '#base/config/public-url.ts';
import { requireServable } from '#base/config/servable.ts';
import { ConfigError, together } from '#base/config/setting.ts';
import type { Config } from '#base/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type KeyFingerprints, keyFingerprints, secretKeySource } from '#base/secret-key.ts';
import { shortFingerprint } from '#platform/key-fingerprint/rules.ts';
import { styled } from './colours.ts';
import { checkedConfig } from './config.ts';
import { locationOf, placeOf } from './database-location.ts';
import { details, printResult } from './output.ts';
import { terminal } from './terminal.ts';
import { group, verb } from './verb.ts';

export function registerConfig(program: Command): void {
  const examples = ['config check', 'config check --strict --json'];
  const config = group(program, 'config', 'the settings of this installation', examples);
  const check = {
    usage: 'check',
    summary:
      'name every setting that can not be used and every one that looks like a mistake, and show what sends; 1 when one can not be used',
    examples,
  };
  verb<{ strict?: true }>(config, check, async (_, { strict }) => {
    const found = await withSenders(checked());
    printResult({ json: jsonOf(found), text: textOf(found) });
    const { faults, warnings } = found;
    if (faults.length > 0) throw new OperatorError(`${settings(faults.length)} can't be used`);
    if (strict && warnings.length > 0)
      throw new OperatorError(`${settings(warnings.length)} should be looked at`);
    return null;
  }).option('--strict', 'warnings count too: 1 when there is one');
}

const settings = (count: number) => `${count} ${count === 1 ? 'setting' : 'settings'}`;

interface Found {
  /** Null for an unusable one. */
  readonly config: Config | null;
  /** For comparing machines; null when there is none yet, or no usable one. */
  readonly keys: KeyFingerprints | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** Whether the senders of workshops were looked at; absent: no SMS go out. */
  readonly isLookedAt?: boolean;
}

/** With the refusals of `serve`. */
function checked(): Found {
  const { config, faults, warnings } = checkedConfig();
  if (config === null) return { config, keys: null, faults, warnings };
  try {
    const { keys } = together({
      keys: () => keyFingerprints(config),
      servable: () => requireServable(config),
    });
    return { config, keys, faults, warnings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config, keys: null, faults: error.faults, warnings };
  }
}

/** A text that can't be sent is a fault; a name of which nobody has said that it is registered is a warning. */
async function withSenders(found: Found): Promise<Found> {
  const { config, faults, warnings } = found;
  if (config === null || config.smsGateways.length === 0) return found;
  const { lookAtSenders } = await import('./config-senders.ts');
  const senders = await lookAtSenders(config);
  const of = (isFault: boolean) =>
    (senders ?? []).filter(({ kind }) => (kind === 'noWayOut') === isFault).map(({ message }) => message);
  return {
    ...{ ...found, isLookedAt: senders !== null },
    ...{ faults: [...faults, ...of(true)], warnings: [...warnings, ...of(false)] },
  };
}

function jsonOf({ config, keys, faults, warnings }: Found) {
  return {
    ok: faults.length === 0,
    settingsFile: terminal().envFile.path,
    faults,
    warnings,
    config: config && {
      database: locationOf(config),
      replica: config.databaseReplicaUrl && placeOf(config.databaseReplicaUrl),
      address: addressOf(config),
      role: config.role,
      publicUrl: config.publicUrl,
      gateways: gatewayNames(config),
      secretKey: {
        from: secretKeySource(config),
        fingerprint: keys && shortFingerprint(keys.current),
        former: keys?.former.map(shortFingerprint) ?? [],
      },
    },
  };
}

function textOf({ config, keys, faults, warnings, isLookedAt }: Found): string {
  const { path } = terminal().envFile;
  const shown = {
    'settings file': path ?? 'none: the environment alone',
    ...(config && {
      database: placeInWords(config),
      ...(config.databaseReplicaUrl && { replica: placeOf(config.databaseReplicaUrl) }),
      ...(config.role !== 'worker' && { address: addressOf(config) }),
      role: config.role,
      'public address': config.publicUrl ?? 'none',
      ...(isLookedAt === false && {
        "workshops' senders": 'not looked at: the database does not answer (pitlane doctor says it)',
      }),
      SMS: outletsOf(config).sms,
      'e-mail': outletsOf(config).email,
      'secret key': `${secretKeySource(config)}, ${keyInWords(keys)}`,
    }),
  };
  const lines = [
    ...faults.map((fault) => `${styled('red', 'fault:')} ${fault}`),
    ...warnings.map((warning) => `${styled('yellow', 'warning:')} ${warning}`),
  ];
  const end = faults.length === 0 ? ['Every setting can be used.'] : [];
  return [details(shown), '', ...lines, ...end].join('\n').trimEnd();
}

/** `pitlane status` shows that of the database. */
function keyInWords(keys: KeyFingerprints | null): string {
  if (keys === null) return 'none yet';
  const former = keys.former.length > 0 ? `; former: ${keys.former.map(shortFingerprint).join(', ')}` : '';
  return `fingerprint ${shortFingerprint(keys.current)}${former}`;
}

function placeInWords(config: Config): string {
  const { embedded, place } = locationOf(config);
  return embedded ? `PostgreSQL in ${place}` : `PostgreSQL of DATABASE_URL, ${place}`;
}

const addressOf = ({ host, port }: Config) => listenedOn(host, port);
