/** Resolves as `work` does, or rejects as soon as the signal aborts. `work` may continue unobserved. */
export const raceAbort = async <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
