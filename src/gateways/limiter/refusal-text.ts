/** Why a message was not handed over, as text for people. */
import type { NoPermit } from './limiter.ts';

const words: Readonly<Record<NoPermit['why'], string>> = {
  open: 'has not worked lately and is left alone for a while',
  resting: 'has asked to be left alone for a while',
  full: 'has as much to do as it may have',
  aborted: 'could not take it in time',
};

export function refusalText(gateway: string, why: NoPermit['why']): string {
  return `The gateway ${gateway} ${words[why]}; nothing was handed over.`;
}
