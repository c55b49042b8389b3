/**
 * Compares what package-lock.json asks for with npm's own record of what it installed last. npm writes that record at the
 * very end, so an interrupted installation has none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
}

function isMeantFor(wanted, entry) {
  return entry === undefined || [entry].flat().some((name) => name === wanted);
}

/** Packages of another platform are never installed; other optional ones may fail and be left out. */
function isRequired(entry) {
  if (!entry.optional) return true;
  const named = entry.os !== undefined && entry.cpu !== undefined && entry.libc === undefined;
  return named && isMeantFor(process.platform, entry.os) && isMeantFor(process.arch, entry.cpu);
}

/** Null when node_modules fits the lock file, else a few words about why not. */
export function differs(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return 'the first time takes a minute';
  let installed;
  try {
    installed = readPackages(record);
  } catch {
    return "npm's record of the last installation is broken";
  }
  // An installation without development dependencies, as for production, is complete too.
  const withDev = Object.values(installed).some((entry) => entry.dev);
  for (const [path, entry] of Object.entries(readPackages(join(root, 'package-lock.json')))) {
    if (path === '') continue;
    const found = installed[path];
    const missing =
      found === undefined && isRequired(entry) && (withDev || !(entry.dev || entry.devOptional));
    const changed =
      found !== undefined && (found.version !== entry.version || found.integrity !== entry.integrity);
    if (missing || changed) return 'package-lock.json has changed';
  }
  return null;
}
