/** Why a message was not handed over, as text for people. */
import type { NoPermit } from './limiter.ts';

const words: Readonly<Record<NoPermit['why'], string>> = {
  open: 'has not worked lately, so its circuit breaker is open',
  resting: 'has asked for a pause',
  full: 'gave no permit in time',
  aborted: 'could not take it in time',
};

export function refusalText(gateway: string, why: NoPermit['why']): string {
  return `The gateway ${gateway} ${words[why]}; nothing was handed over.`;
}
