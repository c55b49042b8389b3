/** Starts a round of notices for each workshop that has answers to be told of: at most one in five minutes. */
import type { Context } from '#context.ts';
import { flagsOf } from '#work/flags.ts';
import { addJobs } from '#work/store.ts';
import { startRounds } from './store.ts';

const deliverJob = 'deliverAnswerNotice';

/** Safe to run in any number of processes at once. Runs every few seconds, and finds its work by an index. */
export async function tellOfAnswers({ db, clock }: Context): Promise<void> {
  await db.transaction(async (tx) => {
    const notices = await startRounds(tx, clock.now());
    await addJobs(
      tx,
      notices.map((notice) => ({
        job: deliverJob,
        payload: { answerNoticeId: notice.id },
        flags: flagsOf(notice),
      })),
    );
  });
}
