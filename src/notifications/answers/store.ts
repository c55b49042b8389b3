/** SQL of the rounds in which a workshop is told of its customers' answers. What tells of a round are messages (`#sending`). */
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { Channel } from '#sending/kinds.ts';

export interface StartedRound {
  readonly round: string;
  readonly workshopId: string;
  /** The workshop's name. */
  readonly workshop: string;
  readonly recipients: readonly { readonly channel: Channel; readonly recipient: string }[];
}

/**
 * Gathers the answers that are to be told of, of each workshop that was told of none in the last five minutes (machine
 * clock), and returns whom each round is told to. Of two that run at once, the second waits and finds the time gone.
 */
export async function startRounds(tx: Queryable): Promise<StartedRound[]> {
  return tx.query<StartedRound>(
    `WITH due AS (
       UPDATE workshop SET answers_told_at = clock_timestamp()
        WHERE id IN (SELECT workshop_id FROM message WHERE notice_due)
          AND (answers_told_at IS NULL OR answers_told_at < clock_timestamp() - interval '5 minutes')
       RETURNING workshop.*, ${newIdSql} AS round
     ), told AS (
       UPDATE message SET notice_due = false, told_in = due.round
       FROM due WHERE message.workshop_id = due.id AND message.notice_due
     )
     SELECT due.round, due.id AS "workshopId", due.name AS workshop, (
       SELECT coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'recipient', recipient)), '[]') FROM (
         SELECT 'sms' AS channel, unnest(coalesce(notify_phones, ARRAY[phone])) AS recipient WHERE inbox_notices IN ('sms', 'both')
         UNION SELECT 'email', unnest(coalesce(notify_emails, ARRAY[email])) WHERE inbox_notices IN ('email', 'both')
       ) AS contact) AS recipients
     FROM due`,
  );
}

export interface Answer {
  readonly name: string;
  /** Null when the person was erased since. */
  readonly phone: string | null;
  readonly body: string;
}

export interface Round {
  /** All of the round. */
  readonly count: number;
  readonly people: number;
  /** The first of them, oldest first. */
  readonly answers: Answer[];
}

/** What a round tells of, as it is now: of a person who was erased since, nothing. */
export async function readRound(db: Queryable, round: string, atMost: number): Promise<Round> {
  const answers = await db.query<Answer & { count: number }>(
    `SELECT k.name, k.phone, m.body, count(*) OVER ()::int AS count
     FROM message m JOIN customer k ON k.id = m.customer_id WHERE m.told_in = $1 ORDER BY m.id LIMIT $2`,
    [round, atMost],
  );
  const [all] = await db.query<{ people: number }>(
    'SELECT count(DISTINCT customer_id)::int AS people FROM message WHERE told_in = $1',
    [round],
  );
  return { count: answers[0]?.count ?? 0, people: all?.people ?? 0, answers };
}

/** The name of a workshop; empty where there is none. */
export async function nameOfWorkshop(db: Queryable, id: string): Promise<string> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM workshop WHERE id = $1', [id]);
  return row?.name ?? '';
}
