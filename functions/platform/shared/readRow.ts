import { describeError, log } from './log.ts';
import { measure } from './metrics.ts';

/**
 * What is read from one of several stored rows that are independent of each other. Nothing, if the row cannot be read: it is
 * logged with its key and counted in a metric that raises an alarm, and must not stop the work on the others.
 */
export const readRow = <Value>(
  key: { readonly table: string; readonly pk: string; readonly sk?: string | undefined },
  read: () => readonly Value[],
): readonly Value[] => {
  try {
    return read();
  } catch (error) {
    measure('unreadableRows');
    log({ level: 'error', message: 'stored row cannot be read', ...key, ...describeError(error) });
    return [];
  }
};
