/** Waiting that a signal ends. */
/** What `work` comes to, or a rejection with the signal's reason as soon as it is aborted. `work` goes on then: others may wait for it. */
export declare function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T>;
