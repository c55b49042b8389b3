/** Settings of a process: where it listens, its database, its folder, its log. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { either, entriesOf, integer, mapped, oneOf, text, url } from './kinds.ts';
import { segmentPrice } from './segment-price.ts';
import { ConfigError, type Kind, setting, type Values } from './setting.ts';

export const roles = ['all', 'api', 'worker'] as const;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretKey: Kind<Buffer> = {
  form: '32 bytes as 64 hex digits or base64',
  parse(given, name) {
    const key = Buffer.from(given, /^[0-9a-f]{64}$/i.test(given) ? 'hex' : 'base64');
    if (key.length === 32) return key;
    throw new ConfigError(`${name} must be 32 bytes, as 64 hex digits or 44 characters of base64`);
  },
};

const secretKeys: Kind<readonly Buffer[]> = {
  form: 'such keys, with commas between them',
  parse: (given, name) => entriesOf(given).map((key) => secretKey.parse(key, name)),
};

/** An address, a network, or a name that Fastify knows for some networks. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)))
  );
}

/** As Fastify expects it: false, true, a number of hops, or addresses. */
const proxies: Kind<boolean | number | string> = {
  form: '`off`, `on`, a number of hops, or addresses (`10.0.0.0/8,loopback`)',
  parse(given, name) {
    if (given === 'off' || given === 'false') return false;
    if (given === 'on' || given === 'true') return true;
    if (/^\d+$/.test(given)) return integer({ from: 0, to: 100 }).parse(given, name);
    if (given.split(',').every((part) => isProxy(part.trim()))) return given;
    throw new ConfigError(
      `${name}=${given} is not on, off, a number of hops, or a list of addresses (10.0.0.0/8,loopback)`,
    );
  },
};

/** The most connections to the embedded PostgreSQL of one process; some more are reserved for commands. */
export const embeddedPoolAtMost = 100;

export const processSettings = {
  host: setting('HOST', text('an address'), {
    default: '127.0.0.1',
    help: 'Address to listen on. One that others can reach also needs an SMS gateway and `SMTP_URL`, or `PITLANE_SANDBOX=on`.',
  }),
  /** 0 takes any free port (tests). */
  port: setting('PORT', integer({ from: 0, to: 65_535 }), {
    default: '3000',
    help: 'Port to listen on; 0 takes a free one.',
  }),
  role: setting('PITLANE_ROLE', oneOf(roles), {
    default: 'all',
    help: '`all`: API and background work in one process. `api`, `worker`: one of them alone.',
  }),
  /** Absolute. */
  dataDir: setting(
    'PITLANE_DATA_DIR',
    mapped(text('a folder'), (folder) => resolve(folder)),
    {
      default: 'data',
      help: 'Data folder: embedded PostgreSQL, secret key. Relative to the current folder.',
    },
  ),
  /** Null: the embedded PostgreSQL. */
  databaseUrl: setting('DATABASE_URL', url(['postgres:', 'postgresql:']), {
    help: 'Your own PostgreSQL, 15 or newer. Without it the embedded one is used.',
    example: 'postgres://pitlane:password@127.0.0.1:5432/pitlane',
  }),
  /** Null: the same as `databaseUrl`. */
  databaseDirectUrl: setting('DATABASE_DIRECT_URL', url(['postgres:', 'postgresql:']), {
    unset: 'the same as `DATABASE_URL`',
    help: 'PostgreSQL itself, where `DATABASE_URL` leads to a pooler: for migrations, backups and notifications. See [with a pooler](running.md#with-a-pooler).',
    example: 'postgres://pitlane:password@127.0.0.1:5432/pitlane',
  }),
  /** Null: everything is read from `databaseUrl`. */
  databaseReplicaUrl: setting('DATABASE_REPLICA_URL', url(['postgres:', 'postgresql:']), {
    help: 'A streaming replica of `DATABASE_URL`, from which reports, exports and days before yesterday are read while it is at most 10 s behind. See [reading from a replica](cluster.md#reading-from-a-replica).',
    example: 'postgres://pitlane:password@127.0.0.1:5001/pitlane',
  }),
  databasePoolSize: setting('PITLANE_DB_POOL', integer({ from: 2, to: 500, unit: 'connections' }), {
    default: '20',
    help: `Connections to PostgreSQL that one process holds at most; it opens six, four with the embedded PostgreSQL, and more beside those that are kept for long, as by reports, or where calls wait for a second. Of the embedded one up to ${embeddedPoolAtMost}.`,
  }),
  /** 0: none is made. */
  migrationBackups: setting('PITLANE_MIGRATION_BACKUPS', integer({ from: 0, to: 100, unit: 'files' }), {
    default: '2',
    help: 'How many backups stay of those that are made in `backups` of the data folder before migrations of the embedded PostgreSQL; 0 makes none.',
  }),
  warmUp: setting('PITLANE_WARM_UP', either('on', 'off'), {
    default: 'on',
    help: '`on`: a process is ready when it has done once what it does most, rolled back ([the first second](running.md#the-first-second)). `off`: at once.',
  }),
  /** Null: it is generated and kept in the data folder. */
  secretKey: setting('PITLANE_SECRET_KEY', secretKey, {
    unset: 'made, kept in the data folder',
    secret: true,
    help: "The installation's secret (`openssl rand -hex 32`). The same on all processes of an installation.",
  }),
  formerSecretKeys: setting('PITLANE_FORMER_SECRET_KEYS', secretKeys, {
    secret: true,
    help: 'Earlier secret keys: what they encrypted is still read. See [changing the secret key](secrets.md#changing-the-secret-key).',
  }),
  demo: setting('PITLANE_DEMO', either('on', 'off'), {
    default: 'on',
    help: '`on` makes demo data when the embedded database is empty, `HOST` is loopback and no real gateway is configured. Otherwise the demo partner is refused: everybody knows its credentials.',
  }),
  trustProxy: setting('TRUST_PROXY', proxies, {
    default: 'off',
    help: "Which proxies are believed about the caller's address.",
  }),
  /** Read before all other settings, since the file may contain them. */
  envFile: setting('PITLANE_ENV_FILE', text('a file'), {
    unset: '`.env`, where there is one',
    help: 'File of settings, in the form of `.env.example`. What the environment itself has wins.',
  }),
  logLevel: setting('LOG_LEVEL', oneOf(logLevels), {
    default: 'info',
    help: 'What is logged: this and worse.',
  }),
  logFormat: setting('LOG_FORMAT', oneOf(['auto', 'json', 'text']), {
    default: 'auto',
    help: '`json`: a JSON object a line. `text`: lines for people. `auto`: `text` on a terminal, else `json`.',
  }),
};

export type ProcessConfig = Values<typeof processSettings>;

export const sandboxSettings = {
  /** The sandbox is allowed on an address that others can reach. */
  sandboxForced: setting('PITLANE_SANDBOX', either('on', 'auto'), {
    default: 'auto',
    help: '`on` allows the sandbox on an address that others can reach, and through proxies; `auto` refuses to start there, and serves the [sandbox](sandbox.md) to this machine alone.',
  }),
  sandboxSmsLatencyMs: setting(
    'SANDBOX_SMS_LATENCY_MS',
    integer({ from: 0, to: 60_000, unit: 'milliseconds' }),
    { default: '0', help: 'How long every SMS of the sandbox takes.' },
  ),
  /** Null: the sandbox's page shows no costs. */
  sandboxSegmentPrice: setting('SANDBOX_SMS_SEGMENT_PRICE', segmentPrice, {
    help: 'What a segment of an SMS costs you: the sandbox shows the cost of each SMS.',
    example: '0.05 AUD',
  }),
};

export type SandboxConfig = Values<typeof sandboxSettings>;
