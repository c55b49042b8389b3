/**
 * The e-mails to people about their sign-in. An e-mail with a code contains no link, so that nobody who gets one unasked can click
 * on anything.
 */
import { isolated } from '#base/values/bidi.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { minutesValid } from '#product/people/codes/store.ts';
import type { DueAccountEmail, SignInChange } from '#product/people/emails/store.ts';
import { outbound } from '../outbound.ts';

const plainly = { facts: [], phones: new Map(), quotes: [], closing: '' } as const;

/** `reference` differs for each code, and is the same for each attempt. */
export function codeEmail(reference: string, to: string, code: string): OutboundEmail {
  return outbound(
    { reference, to },
    {
      ...plainly,
      // Not in the subject or preview, which are shown on locked screens.
      subject: 'Your sign-in code',
      preview: `It holds for ${minutesValid} minutes.`,
      workshopName: 'Pitlane',
      colour: null,
      body: `Your code is\n\n${code}\n\nType it where you asked for it. It works once, within ${minutesValid} minutes, in that browser alone.`,
      footer:
        'You get this because somebody has typed your address at the sign-in. If it was not you, there is nothing to do: tell the code to nobody.',
    },
  );
}

/** Sent to the present address and to the new one, each with its own code. */
export function emailChangeCodeEmail(reference: string, to: string, code: string): OutboundEmail {
  return outbound(
    { reference, to },
    {
      ...plainly,
      subject: 'Your code to change an e-mail address',
      preview: `It holds for ${minutesValid} minutes.`,
      workshopName: 'Pitlane',
      colour: null,
      body: `Somebody who is signed in changes the e-mail address that they sign in with: from or to this one. Your code is\n\n${code}\n\nType it where you asked for the change. It works once, within ${minutesValid} minutes.`,
      footer:
        'If it was not you, there is nothing to do: without this code nothing changes. Tell the code to nobody.',
    },
  );
}

/** Sent to the previous address and to the new one. */
export function emailChangedEmail(reference: string, to: string): OutboundEmail {
  return outbound(
    { reference, to },
    {
      ...plainly,
      subject: 'Your e-mail address to sign in with was changed',
      preview: 'Other sessions have ended.',
      workshopName: 'Pitlane',
      colour: null,
      body: 'The e-mail address that somebody signs in with was changed, from or to this one. Their other sessions have ended.',
      footer:
        'If it was not you, tell the owner of your workshop, or whoever runs this installation of Pitlane, at once.',
    },
  );
}

type Invited = Pick<DueAccountEmail, 'id' | 'placeName' | 'slug' | 'colour'>;

export interface SignInWays {
  /** The installation's public address; null: unknown. */
  readonly url: string | null;
  readonly mailsCodes: boolean;
}

/** Its button leads through the sign-in to the workshop that it is for. */
export function invitationEmail(
  { id, placeName, slug, colour }: Invited,
  to: string,
  { url, mailsCodes }: SignInWays,
): OutboundEmail {
  const place = placeName === null ? 'this installation of Pitlane' : isolated(placeName);
  const next = slug === null ? '' : `?next=/console/w/${slug}/today`;
  const code = mailsCodes
    ? 'a code is sent to it each time'
    : 'whoever has added you prints a code for it each time';
  const how =
    url === null ? 'Whoever has added you knows the address of the sign-in.' : 'There is no password.';
  return outbound(
    { reference: id, to },
    {
      ...plainly,
      subject: placeName === null ? 'You can sign in to Pitlane' : `You can sign in to ${placeName}`,
      preview: 'Sign in with this e-mail address.',
      workshopName: placeName ?? 'Pitlane',
      colour,
      body: `You were added to the people of ${place}. Sign in with this e-mail address: ${code}. ${how}`,
      ...(url !== null && { actions: [{ label: 'Sign in', url: `${url}/console/sign-in${next}` }] }),
      footer:
        'You get this, once, because you were added there. If that is a mistake, there is nothing to do.',
    },
  );
}

const changes: Readonly<Record<SignInChange, string>> = {
  passkeyAdded: 'A passkey was added: it signs in as you.',
  passkeyRemoved: 'A passkey was removed: it can no longer sign in as you.',
  totpSet: 'An authenticator app was set up. One from before is of no use any more.',
  totpRemoved: 'The authenticator app was removed.',
  recoveryCodesMade: 'New recovery codes were made. Those from before are of no use any more.',
  recoveryCodeUsed: 'A recovery code was used to sign in. It can not be used again.',
  factorsReset: 'All your passkeys, your authenticator app and your recovery codes were removed.',
};

/** Reports a change of sign-in. It contains no link, and names no workshop, since a person may have many. */
export function changeEmail(id: string, to: string, what: SignInChange): OutboundEmail {
  return outbound(
    { reference: id, to },
    {
      ...plainly,
      subject: 'Your sign-in was changed',
      preview: changes[what],
      workshopName: 'Pitlane',
      colour: null,
      body: `${changes[what]}\n\nIf it was not you, tell an owner of your workshop, or whoever runs this installation: they end your sessions and reset what you sign in with.`,
      footer: 'You get this because it is about your own sign-in.',
    },
  );
}
