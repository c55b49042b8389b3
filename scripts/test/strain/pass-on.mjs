/**
 * Child processes of Node get variables, whatever environment they are given: a server whose environment a test writes itself, and the
 * PostgreSQL of the product, have to see the hour that the test sees. Loaded by `--import` it hands on its own.
 */
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** Names of the variables, as JSON. */
const listed = 'PITLANE_TEST_PASSED_ON';

/** From now on each child process of this one gets these, and hands them on. Call the result to end that. */
export function passOn(variables) {
  const hookUp = `--import=${import.meta.url}`;
  const withThem = (env) => {
    const options = env.NODE_OPTIONS ?? '';
    const NODE_OPTIONS = options.includes(hookUp) ? options : `${options} ${hookUp}`.trim();
    // What a child is given already is of whoever passes on within this process.
    const before = JSON.parse(env[listed] ?? '[]');
    const own = Object.entries(variables).filter(([name]) => !before.includes(name));
    const names = [...before, ...own.map(([name]) => name)];
    return { ...env, ...Object.fromEntries(own), [listed]: JSON.stringify(names), NODE_OPTIONS };
  };
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function spawnWithThem(options) {
    const env = Object.fromEntries(
      (options.envPairs ?? []).map((pair) => {
        const at = pair.indexOf('=', 1);
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
    );
    const envPairs = Object.entries(withThem(env)).map(([name, value]) => `${name}=${value}`);
    return spawn.call(this, { ...options, envPairs });
  };
  const synchronous = ['spawnSync', 'execFileSync', 'execSync'].map((name) => [name, childProcess[name]]);
  for (const [name, call] of synchronous) {
    childProcess[name] = (command, ...rest) => {
      const last = rest.at(-1);
      const hasOptions = typeof last === 'object' && last !== null && !Array.isArray(last);
      const options = hasOptions ? last : {};
      const before = hasOptions ? rest.slice(0, -1) : rest;
      return call(command, ...before, { ...options, env: withThem(options.env ?? process.env) });
    };
  }
  syncBuiltinESMExports();
  return () => {
    ChildProcess.prototype.spawn = spawn;
    for (const [name, call] of synchronous) childProcess[name] = call;
    syncBuiltinESMExports();
  };
}

const names = process.env[listed];
if (names) passOn(Object.fromEntries(JSON.parse(names).map((name) => [name, process.env[name] ?? ''])));
