/** Retries work that a unique constraint refused: codes are drawn at random, and a taken one is drawn again. */
import { violatedConstraint } from './errors.ts';

const attemptsAtMost = 5;

/** Runs `work`, which draws a code and writes it, again while the unique constraint of the code refuses it: five times at most. */
export const withFreeCode = againOnConstraint;

/** Runs `work` again while this unique constraint refuses it: five times at most. */
export async function againOnConstraint<T>(constraint: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsAtMost || violatedConstraint(error) !== constraint) throw error;
    }
  }
}
