/** Refuses combinations of settings with which a server can't run, though each setting is valid. */
import { type ExposureSettings, requireSafeAddress } from './exposure.ts';
import { embeddedPoolAtMost, type ProcessConfig, processSettings } from './process.ts';
import { ConfigError, together } from './setting.ts';

type ServedSettings = ExposureSettings &
  Pick<ProcessConfig, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'databasePoolSize'>;

/** Throws ConfigError with every reason not to serve. */
export function requireServable(settings: ServedSettings): void {
  together({
    address: () => requireSafeAddress(settings),
    pool: () => requireConnections(settings),
    direct: () => requirePooled(settings),
    replica: () => requireReplicated(settings),
  });
}

/** Past its limit the embedded PostgreSQL refuses connections, and requests would be answered 503. */
function requireConnections({ databaseUrl, databasePoolSize }: ServedSettings): void {
  if (databaseUrl !== null || databasePoolSize <= embeddedPoolAtMost) return;
  throw new ConfigError(
    `${processSettings.databasePoolSize.name}=${databasePoolSize} is more than the embedded PostgreSQL gives one process: set it to ${embeddedPoolAtMost} at most, or set DATABASE_URL`,
  );
}

function requirePooled({ databaseUrl, databaseDirectUrl }: ServedSettings): void {
  if (databaseDirectUrl === null || databaseUrl !== null) return;
  throw new ConfigError(
    `${processSettings.databaseDirectUrl.name} is set without DATABASE_URL: set DATABASE_URL too, to the pooler`,
  );
}

function requireReplicated({ databaseUrl, databaseReplicaUrl }: ServedSettings): void {
  if (databaseReplicaUrl === null || databaseUrl !== null) return;
  throw new ConfigError(
    `${processSettings.databaseReplicaUrl.name} is set without DATABASE_URL: set DATABASE_URL too, to the PostgreSQL that it is a replica of`,
  );
}
