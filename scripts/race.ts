/**
 * `npm run race`: clients of two processes race for the places of one workshop, for 60 seconds: creations of 30 to 240 minutes at odd
 * times, moves, changed services, cancellations, imports. Then everything is counted again from `GET /bookings`.
 *
 * Without arguments it starts two servers on a database of its own. `usage` says how it runs against any other installation.
 */

import { readFileSync } from 'node:fs';
import { send } from '../test/harness/http.ts';
import { optionsOf, wholeNumber } from './options.ts';
import { type Race, runLoad } from './race/load.ts';
import { separateInstallation } from './race/own.ts';
import { judge } from './race/verdict.ts';
import { type OfferedService, referenceOf, type SetUp } from './race/workshop.ts';

const usage = `npm run race                      two servers on a database of its own, 60 seconds
npm run race -- --url https://a.example --url https://b.example --partner ID --app-key KEY --secret SECRET --setup FILE

  --url       of a server of the installation; once or more often
  --partner, --app-key, --secret   of the only partner that is linked to the workshop
  --setup     a file that "pitlane workshop export" wrote, of a workshop that enforces its slots and has no bookings of others
  --seconds   how long (60)
  --clients   at each URL (12)
`;
const values = optionsOf(
  {
    url: { type: 'string', multiple: true },
    partner: { type: 'string' },
    'app-key': { type: 'string' },
    secret: { type: 'string' },
    setup: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '12' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  usage,
);
const seconds = wholeNumber('seconds', values.seconds, { least: 1, most: 86_400 }, usage);
const clients = wholeNumber('clients', values.clients, { least: 1, most: 1_000 }, usage);
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const own = values.url === undefined ? await separateInstallation() : null;
  try {
    const target = own ?? {
      urls: values.url ?? [],
      partnerId: values.partner ?? '',
      appKey: values['app-key'] ?? '',
      secret: values.secret ?? '',
      setUp: JSON.parse(readFileSync(values.setup ?? '', 'utf8')) as SetUp,
    };
    const race = await raceFor(target);
    say(`${seconds} s, ${race.clients} clients at each of ${target.urls.join(', ')}`);
    const history = await runLoad(race);
    for (const [name, count] of [...history.answers].toSorted()) say(`${String(count).padStart(7)}  ${name}`);
    const faults = await judge(race, history);
    const doctor = own === null ? null : await own.doctor();
    if (doctor === null) say('Now run `pitlane doctor` on that installation: it must find nothing.');
    else faults.push(...doctor);
    for (const fault of faults) say(`✖ ${fault}`);
    say(
      faults.length === 0
        ? '✔ nothing is over, and nothing that fitted was refused'
        : `✖ ${faults.length} faults`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await own?.stop();
  }
}

interface Target {
  readonly urls: readonly string[];
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  readonly setUp: SetUp;
}

async function raceFor({ urls, partnerId, appKey, secret, setUp }: Target): Promise<Race> {
  const partner = { 'x-partner-id': partnerId };
  const signedIn = await send(`${urls[0]}/auth/token`, 'POST', {
    headers: partner,
    body: { appKey, secret },
  });
  if (signedIn.status !== 200)
    throw new Error(`signing in gave ${signedIn.status} ${JSON.stringify(signedIn.body)}`);
  const headers = { ...partner, authorization: `Bearer ${signedIn.body.token}` };
  const { workshopId } = setUp;
  const get = async (path: string) =>
    (await send(`${urls[0]}/workshops/${workshopId}/${path}`, 'GET', { headers })).body;
  const [{ services }, { timezone }] = [await get('services'), await get('availabilities')];
  const workshop = referenceOf(setUp, services as OfferedService[], timezone);
  const until = performance.now() + seconds * 1_000;
  return {
    ...{ urls, headers, workshopId, workshop, now: Date.now },
    clients,
    isOver: () => performance.now() > until,
  };
}

if (values.help) say(usage);
else process.exitCode = await main();
