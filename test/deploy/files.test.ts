/** The files of `deploy/` by their linters, and the image's process without the image. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { parse as parseYaml } from 'yaml';
import { guidePages } from '#operation/reference/guide-pages.ts';
import { guidePath } from '#platform/pages/site-top.ts';
import { json } from '../command-line/run.ts';
import { createTestDatabase } from '../harness/database.ts';
import { send } from '../harness/http.ts';
import { freePorts } from '../harness/ports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const dockerfile = read('deploy/Dockerfile');

/** The JSON form of an instruction, of the last stage. */
function instruction(pattern: RegExp): string[] {
  return JSON.parse(dockerfile.match(pattern)?.[1] ?? 'null');
}
const entrypoint = instruction(/^ENTRYPOINT (\[.*\])$/m);
const healthCheck = instruction(/^ {2}CMD (\[.*\])$/m);

test('the Dockerfile has no fault that its linter knows, and its Node is one that runs the sources', () => {
  assert.deepEqual(lintDockerfile(dockerfile), []);
  assert.notDeepEqual(lintDockerfile(dockerfile.replace('USER node', 'USERS node')), []);
  const wanted = /wantedMajor = (\d+)/.exec(read('bin/find-node.mjs'))?.[1];
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  assert.deepEqual(images, [`node:${wanted}-slim`, `node:${wanted}-slim`]);
  assert.match(dockerfile.split('FROM').at(-1) ?? '', /^USER node$/m);
});

/** Copies what the image gets of the project, by the ignore file. */
function copyImageFiles(folder: string): void {
  const lines = read('deploy/Dockerfile.dockerignore').split('\n');
  const isKept = (path: string) =>
    !lines.some((line) => line.startsWith('**') && matchesGlob(relative(root, path), line));
  for (const path of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isKept });
}

test('what the image holds runs: it starts, is healthy by its own check, has the guide, and ends on SIGTERM', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-image-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  copyImageFiles(folder);
  assert.deepEqual(globSync('**/{*.test.ts,.env*,data}', { cwd: folder }), []);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  // Loaded by installations with an SMPP gateway alone.
  const loadsSmpp = ['--input-type=module', '-e', "await import('#smpp')"];
  assert.equal(spawnSync(process.execPath, loadsSmpp, { cwd: folder, stdio: 'inherit' }).status, 0);

  const { url } = await createTestDatabase();
  const [port = 0] = await freePorts(1);
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    PORT: String(port),
    LOG_LEVEL: 'warn',
  };
  const isHealthy = () => {
    const [, ...args] = healthCheck;
    return spawnSync(process.execPath, args, { env }).status === 0;
  };
  assert.equal(isHealthy(), false);
  const child = spawn(process.execPath, [...entrypoint.slice(1), 'serve', '--role', 'api', '--json'], {
    cwd: folder,
    env: { ...env, DATABASE_URL: url, PITLANE_SECRET_KEY: randomBytes(32).toString('hex') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [printed] = await once(child.stdout, 'data');
  assert.match(String(printed), new RegExp(`:${port}"`));
  assert.equal(isHealthy(), true);
  for (const { name } of guidePages)
    assert.equal((await send(`http://127.0.0.1:${port}${guidePath(name)}`, 'GET')).status, 200, name);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('compose.yaml follows the Compose Specification: migrations first, nothing open but the API on loopback', () => {
  const { $schema: _, ...schema } = JSON.parse(read('test/fixtures/compose-spec.json'));
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  // biome-ignore lint/suspicious/noExplicitAny: the schema says what it is.
  const compose: any = parseYaml(read('deploy/compose.yaml'), { merge: true });
  assert.equal(isValid(compose), true, JSON.stringify(isValid.errors));
  assert.equal(isValid({ ...compose, services: { api: { imagine: 'x' } } }), false);

  const { postgres, migrate, api, worker, backup } = compose.services;
  assert.equal(migrate.depends_on.postgres.condition, 'service_healthy');
  for (const service of [api, worker]) {
    assert.equal(service.depends_on.migrate.condition, 'service_completed_successfully');
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
    assert.deepEqual(service.environment.DATABASE_URL, migrate.environment.DATABASE_URL);
  }
  assert.deepEqual(
    [migrate.command, api.command.at(-1), worker.command.at(-1)],
    [['migrate'], 'api', 'worker'],
  );
  assert.deepEqual(
    [postgres.ports, api.ports, worker.ports, worker.healthcheck],
    [undefined, ['127.0.0.1:3000:3000'], undefined, { disable: true }],
  );
  // Its folder is a volume that outlives it, which the image's user may write; "up" does not start it.
  const [, , folder] = backup.command;
  assert.deepEqual([backup.volumes, backup.profiles], [[`backups:${folder}`], ['backup']]);
  assert.ok('backups' in compose.volumes);
  assert.match(dockerfile, new RegExp(`^RUN install .*--owner=node .* ${folder}$`, 'm'));
});

test('what the units and compose.yaml back up by is a command that works', async () => {
  const unit = /^ExecStart=\S+ bin\/pitlane\.mjs (.*)$/m.exec(
    read('deploy/systemd/pitlane-backup.service'),
  )?.[1];
  const { services } = parseYaml(read('deploy/compose.yaml'), { merge: true });
  const { url } = await createTestDatabase();
  const env = { DATABASE_URL: url, PITLANE_SECRET_KEY: randomBytes(32).toString('hex') };
  for (const args of [unit?.split(' ') ?? [], services.backup.command as string[]]) {
    const folder = mkdtempSync(join(tmpdir(), 'pitlane-backups-'));
    const own = args.map((arg) => (/^(?:%S)?\//.test(arg) ? folder : arg));
    const { file } = await json(own, env);
    assert.equal(dirname(file), folder);
    rmSync(folder, { recursive: true });
  }
});

test('the wrapper runs from any folder as the service would: its user, its settings, files of the current folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane wrapper '));
  const wrapper = join(folder, 'pitlane');
  const { username } = userInfo();
  const own = [
    ['folder=/opt/pitlane', `folder='${root.replace(/\/$/, '')}'`],
    ['user=pitlane', `user=${username}`],
    ['node=/usr/bin/node', `node='${process.execPath}'`],
  ] as const;
  let text = read('deploy/pitlane');
  for (const [sample, with_] of own) {
    assert.ok(text.includes(sample), sample);
    text = text.replace(sample, with_);
  }
  writeFileSync(wrapper, text, { mode: 0o755 });
  writeFileSync(join(folder, 'settings'), 'PITLANE_DATA_DIR=/nowhere/to be seen\n');
  const run = (...args: string[]) =>
    spawnSync(wrapper, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', PITLANE_ENV_FILE: join(folder, 'settings') },
      encoding: 'utf8',
    });
  assert.match(run('status').stderr, /no database in the data folder \/nowhere\/to be seen/);
  writeFileSync(join(folder, 'a backup'), 'none');
  assert.match(run('restore', 'a backup', '--check').stderr, /a backup is no/);
  rmSync(folder, { recursive: true });
});

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd takes the units', { skip: !systemd && 'there is no systemd-analyze' }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-units-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'deploy', 'systemd'), folder, { recursive: true });
  // It looks whether the program is there.
  for (const file of globSync(`${folder}/*.service`))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/usr/bin/node', process.execPath));
  const verify = () => {
    const names = ['all.service', 'api@3000.service', 'worker@1.service', 'backup.service', 'backup.timer'];
    const units = names.map((name) => `pitlane-${name}`);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      env: { PATH: process.env['PATH'] ?? '', SYSTEMD_UNIT_PATH: `${folder}:` },
      encoding: 'utf8',
    });
    // Units of the machine are none of ours.
    return { status, ours: stderr.split('\n').filter((line) => line.includes('pitlane')) };
  };
  assert.deepEqual(verify(), { status: 0, ours: [] });
  const common = join(folder, 'pitlane-.service.d', 'common.conf');
  writeFileSync(common, readFileSync(common, 'utf8').replace('PrivateTmp=yes', 'PrivateTmpp=yes'));
  assert.match(verify().ours.join(), /PrivateTmpp/);
});
