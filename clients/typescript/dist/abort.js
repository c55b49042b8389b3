/** Waiting that a signal ends. */
/** What `work` comes to, or a rejection with the signal's reason as soon as it is aborted. `work` goes on then: others may wait for it. */
export function unlessAborted(work, signal) {
    if (signal === undefined)
        return work;
    return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted)
            stop();
        signal.addEventListener('abort', stop, { once: true });
        void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
}
