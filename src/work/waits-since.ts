/** Since when a job has waited that may have been put back: its key says so, where it has one (`store.ts` writes them). */
export function waitsSinceOf(job: { readonly key: string | null; readonly created_at: Date }): Date {
  const [, seconds] = /^since:(\d+(?:\.\d+)?):/.exec(job.key ?? '') ?? [];
  return seconds === undefined ? job.created_at : new Date(Number(seconds) * 1_000);
}
