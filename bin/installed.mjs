/**
 * Compares what package-lock.json asks for with npm's own record of what it installed last. npm writes that record at the
 * very end, so an interrupted installation has none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is installed from a registry, by path; the rest is the project itself, and links into it. */
function readPackages(path) {
  const packages = Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages ?? {});
  return Object.fromEntries(packages.filter(([at, entry]) => at.startsWith('node_modules/') && !entry.link));
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

/**
 * Null when node_modules has what running needs, and with `dev` also what tests and tools need. Else why not, in a few words, and what to
 * do: whether the development dependencies belong to it, and whether it only adds them. They are never removed.
 */
export function differs(root, dev) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return { why: 'the first time takes a minute', dev, adds: false };
  let installed;
  try {
    installed = readPackages(record);
  } catch {
    return { why: "npm's record of the last installation is broken", dev, adds: false };
  }
  const hadDev = Object.values(installed).some((entry) => entry.dev);
  const changed = { why: 'package-lock.json has changed', dev: dev || hadDev, adds: false };
  let lacksDev = false;
  for (const [path, entry] of Object.entries(readPackages(join(root, 'package-lock.json')))) {
    const found = installed[path];
    if (found === undefined) {
      if (!isRequired(entry)) continue;
      if (hadDev || !(entry.dev || entry.devOptional)) return changed;
      lacksDev = true;
    } else if (found.version !== entry.version || found.integrity !== entry.integrity) return changed;
  }
  return dev && lacksDev ? { why: 'those of tests and tools', dev, adds: true } : null;
}
