/** A connection that breaks after PostgreSQL has locked a job and before the runner hears of it. */
import type { Pool, PoolClient } from 'pg';

/** Loses the response of the first fetch that finds a job. The returned function says whether that has happened. */
export function loseOneJob(pool: Pool): () => boolean {
  let isLost = false;
  const isFetch = (query: unknown) =>
    query !== null && typeof query === 'object' && String(Reflect.get(query, 'name')).startsWith('get_job');

  pool.on('connect', (client: PoolClient) => {
    const send = client.query.bind(client);
    const lossy = async (query: string, values?: unknown[]) => {
      const answer = await send(query, values);
      if (isLost || !isFetch(query) || answer.rowCount === 0) return answer;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    };
    Object.assign(client, { query: lossy });
  });
  return () => isLost;
}
