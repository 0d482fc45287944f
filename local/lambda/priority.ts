import { existsSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import type { ApiDeclaration } from '../template/api.ts';

/** Only Linux has a priority for each thread, and this link to the one that reads it. */
const THIS_THREAD = '/proc/thread-self';

/**
 * The ARNs of the functions that answer reads. Readers and workers share the cores of one machine: when these are busy,
 * recording goes before reading, so that answers are late and not the records.
 */
export const readersOf = ({ routes }: Pick<ApiDeclaration, 'routes'>): ReadonlySet<string> =>
  new Set(routes.filter(({ routeKey }) => routeKey.startsWith('GET ')).map(({ functionArn }) => functionArn));

/** Leaves the cores to the other threads of the process. A thread with this priority has about a tenth of their share. */
export const yieldToOtherThreads = (): void => {
  if (!existsSync(THIS_THREAD)) return;
  setPriority(Number(basename(readlinkSync(THIS_THREAD))), constants.priority.PRIORITY_BELOW_NORMAL);
};
