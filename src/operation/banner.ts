/** The page that `serve` prints when it is ready: where everything is, the demo's credentials, and three lines to paste. */

import { formatInstant } from '#base/values/instant.ts';
import { gatewayNames, outletsOf } from '../base/config/outlets.ts';
import { listenedOn, urlHost } from '../base/config/public-url.ts';
import type { Context } from '../platform/context.ts';
import { type DemoCredentials, demoExamples } from './demo/demo.ts';
import { demoStaff } from './demo/people.ts';

export interface Started {
  readonly context: Context;
  /** Null when this process serves no HTTP. */
  readonly port: number | null;
  /** Null when there is no demo partner. */
  readonly demo: DemoCredentials | null;
  /** The path of the demo's link to the booking page; null when there is no demo partner. */
  readonly bookingPath: string | null;
  /** The path that signs the demo's owner in to the console, once; null when there is no demo. */
  readonly signInPath: string | null;
  readonly isEmbedded: boolean;
  readonly warnings: readonly string[];
  /** Null: the environment alone has the settings. */
  readonly settingsFile: string | null;
}

function baseUrl({ context, port }: Started): string {
  return `http://${urlHost(context.config.host)}:${port}`;
}

/** Null where there is no demo, or this process serves no HTTP. */
const consoleUrlOf = (started: Started): string | null =>
  started.port === null || started.signInPath === null ? null : baseUrl(started) + started.signInPath;

/** Where SMS and e-mails go, under names that the log does not redact. */
export function loggedOutlets(config: Context['config']) {
  const { sms, email } = outletsOf(config);
  return { smsOutlet: sms, mailOutlet: email };
}

/**
 * The log line that replaces the page when the log is JSON: without credentials, except the one-time address that signs in to the
 * demo's console.
 */
export function startedLine(started: Started): { readonly fields: object; readonly message: string } {
  const { context, port, demo, isEmbedded, settingsFile } = started;
  const { config } = context;
  const { partnerId = null, workshopId = null } = demo ?? {};
  return {
    fields: {
      ...(context.clock.advanceSeconds() > 0 && { clockAheadSeconds: context.clock.advanceSeconds() }),
      ...{ url: port === null ? null : baseUrl(started), host: config.host, port },
      ...{ publicUrl: config.publicUrl, database: isEmbedded ? config.dataDir : 'DATABASE_URL' },
      ...{ ...loggedOutlets(config), settingsFile },
      ...(demo !== null && { demo: { partnerId, workshopId, consoleUrl: consoleUrlOf(started) } }),
    },
    message: `Pitlane is ready at ${listenedOn(config.host, port ?? config.port)}`,
  };
}

/** For programs: one line of JSON, with null for absent values. */
export function startedJson(started: Started): string {
  const { partnerId, appKey, secret, workshopId } = started.demo ?? {
    partnerId: null,
    appKey: null,
    secret: null,
    workshopId: null,
  };
  const url = started.port === null ? null : baseUrl(started);
  const consoleUrl = consoleUrlOf(started);
  const { context, settingsFile, warnings } = started;
  const gateways = gatewayNames(context.config);
  return `${JSON.stringify({ url, consoleUrl, partnerId, appKey, secret, workshopId, gateways, settingsFile, warnings })}\n`;
}

/** Warns of a clock that the sandbox has moved, since new tokens then look expired, or not yet issued. */
function movedClock({ clock, sandboxAlone }: Context, base: string): string[] {
  const hours = Math.floor(clock.advanceSeconds() / 3_600);
  if (clock.advanceSeconds() === 0) return [];
  const ahead = hours === 0 ? 'less than an hour' : `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  const back = sandboxAlone ? `${base}/sandbox or npx pitlane clock reset` : 'npx pitlane clock reset';
  return [`  Clock           ${formatInstant(clock.now())}, moved ${ahead} ahead; back to now: ${back}`];
}

/** For a person: a page. */
export function startedPage(started: Started): string {
  const { context, demo, bookingPath, signInPath, isEmbedded, warnings, settingsFile } = started;
  const { config, clock, sandbox } = context;
  const base = baseUrl(started);
  const outlets = outletsOf(config);
  const lines = [
    '',
    `Pitlane is ready at ${listenedOn(config.host, started.port ?? config.port)}`,
    '',
    `  API reference   ${base}/docs   (the guide: ${base}/docs/guide, OpenAPI: ${base}/openapi.json)`,
    ...(sandbox
      ? [`  Sandbox         ${base}/sandbox   what was "sent", and a clock that can be moved`]
      : []),
    ...movedClock(context, base),
    ...(config.publicUrl === null ? [] : [`  Public address  ${config.publicUrl}`]),
    `  Console         ${base}/console`,
    `  Health          ${base}/health/ready   (metrics: ${base}/metrics)`,
    `  Database        ${isEmbedded ? `PostgreSQL in ${config.dataDir}` : 'as DATABASE_URL says'}`,
    ...(settingsFile === null ? [] : [`  Settings        ${settingsFile}`]),
    `  SMS             ${outlets.sms}`,
    `  E-mail          ${outlets.email}`,
    '',
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(warnings.length > 0 ? [''] : []),
  ];
  if (demo !== null) {
    lines.push(
      'The demo partner, for this machine only:',
      '',
      `  X-Partner-ID    ${demo.partnerId}`,
      `  App Key         ${demo.appKey}`,
      `  Secret          ${demo.secret}`,
      `  Workshop        ${demo.workshopId}`,
      '',
      ...(bookingPath === null
        ? []
        : ['The booking page of that workshop, as its customers see it:', '', `  ${base}${bookingPath}`, '']),
      ...(signInPath === null
        ? []
        : [
            'The office of that workshop. This address signs you in as its owner, once, within 10 minutes:',
            '',
            `  ${base}${signInPath}`,
            '',
            `Then: npx pitlane person code ${demoStaff[0]?.email}`,
            '',
          ]),
      'Try it: a token, a booking, an SMS. Paste these into another terminal.',
      '',
      ...demoExamples(base, demo, clock.now()).flatMap((line) => [line, '']),
    );
  } else {
    lines.push('Make a partner: npx pitlane partner create --name "Example Fleet"', '');
  }
  lines.push('Ctrl-C stops it. More commands: npx pitlane --help', '');
  return lines.join('\n');
}
