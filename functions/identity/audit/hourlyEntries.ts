import { HOUR_MS } from '../../../schemas/durations.ts';
import type { AuditEntry } from '../../../schemas/identity/audit.ts';
import { commit, type Write } from '../../platform/shared/aws/document.store.ts';
import { setBounded } from '../../platform/shared/caches/boundedMap.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { AuditLog } from './audit.store.ts';

/** Most names kept in memory. */
const CAPACITY = 10_000;

/** An entry about a call of which equal ones are frequent. */
export interface FrequentEntry {
  readonly tenantId: string;
  readonly entry: AuditEntry;
  /** What makes calls equal, besides the tenant. */
  readonly like: readonly (string | null)[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Records the first of equal calls in each hour of the clock, so that nobody can fill the log, and a read costs no write each time. A
 * process remembers what it has recorded, so most calls cost nothing. `guards` are further writes of the commit.
 */
export const hourlyEntries = (log: AuditLog) => {
  /** The last hour of each name that has an entry. */
  const recorded = new Map<string, number>();
  return async (
    { tenantId, entry, like, at }: FrequentEntry,
    guards: readonly Write[] = [],
  ): Promise<void> => {
    const name = sha256Of('hourly audit entry', tenantId, JSON.stringify(like)).toString('base64url');
    const hour = Math.floor(at / HOUR_MS);
    if (recorded.get(name) === hour) return;
    const isRecorded = await commit([
      log.appendOnce(tenantId, entry),
      ...guards,
      log.admitHourly(tenantId, name, at),
    ]);
    // Without guards, the commit fails only if this hour has an entry.
    if (isRecorded || guards.length === 0) setBounded(recorded, name, hour, CAPACITY);
  };
};
export type HourlyEntries = ReturnType<typeof hourlyEntries>;
