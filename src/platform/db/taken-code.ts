/** Codes are drawn at random: one that is taken is drawn anew. */
import { violatedConstraint } from './database.ts';

const codesAtMost = 5;

/** Runs `work`, which draws a code and writes it, again while the unique constraint of the code refuses it: five times at most. */
export async function withFreeCode<T>(constraint: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === codesAtMost || violatedConstraint(error) !== constraint) throw error;
    }
  }
}
