import { memoizeAsync } from '../../platform/shared/caches/memoizeAsync.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import type { ProgressStore, Stage } from './progress.store.ts';

/** The accuracy of the reported progress, in milliseconds. */
export const WINDOW_MS = 30_000;
/** Windows that a process remembers as written. */
const CAPACITY = 10_000;

export const windowOf = (at: number): number => at - (at % WINDOW_MS);

/** Reports that a call reached a stage. `at` is epoch milliseconds. Never rejects. */
export type ReportProgress = (tenantId: string, stage: Stage, at: number) => Promise<void>;

/**
 * Writes each window of a tenant and stage at most once in this process, so a busy tenant costs two writes a minute for each
 * process and stage.
 */
export const progressReporter = (store: Pick<ProgressStore, 'put'>): ReportProgress => {
  const once = memoizeAsync<void>(CAPACITY);
  return async (tenantId, stage, at) => {
    const window = windowOf(at);
    await once(`${tenantId} ${stage} ${window}`, () => store.put(tenantId, stage, window)).catch(
      (error: unknown) =>
        log({ level: 'warn', message: 'progress was not written', ...describeError(error) }),
    );
  };
};
