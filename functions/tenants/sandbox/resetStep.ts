import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { SAMPLE_DAYS, SAMPLE_EVENTS, type StoredReset } from '../../../schemas/tenants/sandbox.ts';
import type { PagedTenantRows, TenantRows } from '../../ledger/erasure/tenantRows.store.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleDataSet } from './sample/dataSet.ts';

/** The second pass deletes what running work wrote behind the first. */
const PASSES = 2;
/**
 * How long work that started before the first pass can still write rows: longer than any function that writes rows runs.
 * Later steps of a job or export find no row of it and stop.
 */
export const SETTLE_MS = 6 * MINUTE_MS;
/** How long a reset waits for the totals of its calls. Then it goes on, so that it always ends. */
export const TOTALS_MS = 10 * MINUTE_MS;
/** The seed of the data set. Changing it changes every event id of every sandbox. */
const SEED = 1;

/** What a reset acts on. Every action can be repeated. */
export interface ResetActions {
  readonly tables: readonly PagedTenantRows[];
  readonly objects: readonly Pick<TenantRows, 'erase'>[];
  /** Creates identity mappings and budgets that do not exist yet. */
  readonly configure: (tenant: Tenant, reset: StoredReset) => Promise<void>;
  readonly send: (tenant: Tenant, events: readonly InvocationEvent[]) => Promise<void>;
  /** Whether the totals contain every call that was sent. */
  readonly isTotalled: (tenant: Tenant, reset: StoredReset) => Promise<boolean>;
  /** Lets the detector evaluate the day of the incidents, and opens the disputes that are not open yet. */
  readonly review: (tenant: Tenant, reset: StoredReset) => Promise<void>;
}

/** The synthetic calls of a reset. They follow from the time of its request, so a repeated step sends the same ones. */
export const sampleOf = ({ requested_at }: Pick<StoredReset, 'requested_at'>): InvocationEvent[] => [
  ...sampleDataSet({ seed: SEED, events: SAMPLE_EVENTS, end: new Date(requested_at), days: SAMPLE_DAYS }),
];

type EraseStep = Extract<StoredReset['step'], { kind: 'erase' }>;

const afterPage = (
  { pass, table }: EraseStep,
  resume: string | null,
  { tables, now }: { readonly tables: number; readonly now: number },
): StoredReset['step'] => {
  if (resume !== null) return { kind: 'erase', pass, table, resume };
  if (table + 1 < tables) return { kind: 'erase', pass, table: table + 1, resume: null };
  if (pass < PASSES) return { kind: 'settle', until: toIso(now + SETTLE_MS) };
  return { kind: 'objects' };
};

/** Runs the next step of a reset at `now` (epoch milliseconds). Idempotent, because it runs again after a crash. */
export const runResetStep = async (
  actions: ResetActions,
  tenant: Tenant,
  reset: StoredReset,
  now: () => number,
): Promise<StoredReset> => {
  const { step } = reset;
  switch (step.kind) {
    case 'erase': {
      const rows = actions.tables[step.table];
      const page = (await rows?.erasePage(step.resume)) ?? { erased: 0, resume: null };
      return {
        ...reset,
        erased_rows: reset.erased_rows + page.erased,
        step: afterPage(step, page.resume, { tables: actions.tables.length, now: now() }),
      };
    }
    case 'settle':
      if (isHeld({ until: Date.parse(step.until) }, SETTLE_MS, now())) return reset;
      return { ...reset, step: { kind: 'erase', pass: PASSES, table: 0, resume: null } };
    case 'objects':
      for (const objects of actions.objects) await objects.erase();
      return { ...reset, step: { kind: 'configure' } };
    case 'configure':
      await actions.configure(tenant, reset);
      return { ...reset, step: { kind: 'load' } };
    case 'load': {
      const events = sampleOf(reset);
      await actions.send(tenant, events);
      const until = toIso(now() + TOTALS_MS);
      return { ...reset, sent_events: events.length, step: { kind: 'totals', until } };
    }
    case 'totals':
      if (
        isHeld({ until: Date.parse(step.until) }, TOTALS_MS, now()) &&
        !(await actions.isTotalled(tenant, reset))
      )
        return reset;
      return { ...reset, step: { kind: 'review' } };
    case 'review':
      await actions.review(tenant, reset);
      return { ...reset, status: 'succeeded', finished_at: toIso(now()) };
  }
};
