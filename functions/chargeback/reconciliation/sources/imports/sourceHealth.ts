import type { ImportError, SourceHealth } from '../../../../../schemas/chargeback/billSourceHealth.ts';
import type { RaisedEvent } from '../../../../../schemas/delivery/events.ts';
import { createEvent } from '../../../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../../../platform/outbox/outbox.store.ts';
import { commit } from '../../../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../../../platform/shared/hash.ts';
import { tagInId } from '../../../../platform/shared/ids.ts';
import { CONFLICT, retryOnConflict } from '../../../../platform/shared/retry/retryOnConflict.ts';
import { isoOrNull } from '../../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../../platform/shared/ulid.ts';
import type { ImportedSources } from '../billSource.store.ts';
import { isLate, type StoredBillSource } from '../billSource.ts';
import { withInterruption } from '../importSchedule.ts';

/** Writers of one source: its runs, and calls that change its settings. */
const MAX_ATTEMPTS = 8;
/** Errors that pass by themselves. They count from the fifth failure in a row, about three hours after the first. */
const PASSING_ERRORS: ReadonlySet<ImportError> = new Set([
  'unavailable',
  'rate_limited',
  'not_found',
  'interrupted',
]);
const PASSING_FAILURES = 5;

const isFailing = ({ last_error: error, failures }: StoredBillSource['imports']): boolean => {
  // A run whose time was over continues at the next one.
  if (error === null || error === 'slow') return false;
  return !PASSING_ERRORS.has(error) || failures >= PASSING_FAILURES;
};

/**
 * The health of a source at `now` (epoch milliseconds). A paused source keeps its health. A failing one recovers with a
 * completed import, not with a new credential that was not used yet.
 */
export const healthOf = (stored: StoredBillSource, now: number): SourceHealth => {
  const source = withInterruption(stored, now);
  const { paused, health, imports } = source;
  if (paused) return health.state;
  if (isFailing(imports)) return 'failing';
  if (health.state === 'failing' && (imports.last_success_at ?? 0) < health.since) return 'failing';
  return isLate(source, now) ? 'late' : 'working';
};

const healthEvent = (
  tenantId: string,
  source: StoredBillSource,
  state: SourceHealth,
  now: number,
): RaisedEvent => {
  const { id, provider, name, account, imports, health } = source;
  const published = imports.published_until;
  const digest = sha256Of('bill source health', tenantId, id, state, String(health.since));
  return createEvent(
    'bill_source.health.changed',
    {
      bill_source_id: id,
      provider,
      name,
      account,
      previous: health.state,
      state,
      error: state === 'failing' ? imports.last_error : null,
      published_until: isoOrNull(published),
    },
    { ulid: ulidOf(now, digest), at: now, tenant: { tenant_id: tenantId, tag: tagInId(id) } },
  );
};

interface HealthDeps {
  readonly sources: Pick<ImportedSources, 'versioned' | 'replace'>;
  readonly outbox: Outbox;
  readonly clock: () => number;
  readonly newClaim: () => string;
}

/**
 * Stores the health of a source in one transaction with the event of its change. A repetition finds the health stored and
 * raises nothing, so each change is told once.
 */
export const healthReporter =
  ({ sources, outbox, clock, newClaim }: HealthDeps) =>
  async (tenantId: string, id: string): Promise<void> => {
    const reportOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const stored = await sources.versioned(tenantId, id);
      if (stored === null) return undefined;
      const now = clock();
      const source = withInterruption(stored.document, now);
      const state = healthOf(source, now);
      if (state === source.health.state) return undefined;
      const next = { ...source, health: { state, since: now } };
      const isStored = await commit([
        sources.replace(tenantId, next, stored.revision, { claim: newClaim(), attempt: 1 }),
        outbox.raise(healthEvent(tenantId, source, state, now)),
      ]);
      return isStored ? undefined : CONFLICT;
    };
    await retryOnConflict(reportOnce, { maxAttempts: MAX_ATTEMPTS, subject: 'the health of a bill source' });
  };
