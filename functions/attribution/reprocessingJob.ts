import pMap from 'p-map';
import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { JobOf } from '../../schemas/jobs.ts';
import { CHARGEBACK_FLOOR } from '../../schemas/values.ts';
import { withProgress } from '../jobs/job.ts';
import type { Stepper } from '../jobs/jobRunner.ts';
import type { Attribution } from '../ledger/attribution.ts';
import type { LedgerReader } from '../ledger/ledger.store.ts';
import { listRecords } from '../ledger/query/listRecords.ts';
import type { MarkDirty } from '../rollups/markDirty.ts';
import { ulidInId } from '../shared/ids.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { reattribute } from './reattribute.ts';
import type { Revise } from './revise.ts';
import type { TenantAttributionContext } from './traceCorrelation.ts';

type Selection = JobOf<'reprocessing'>['request']['selection'];

/** Whether a record is among those a job is to look at. */
const isSelected = (record: AttributionRecord, selection: Selection): boolean => {
  const { model_version, evidence_basis } = record.interpretation;
  switch (selection.kind) {
    case 'all':
      return true;
    case 'model':
      return model_version === selection.version;
    case 'unplaced':
      return record.coper < CHARGEBACK_FLOOR && evidence_basis !== 'model_inferred';
  }
};

/** Records a step examines. */
const STEP_RECORDS = 200;
/** Records revised at once. */
const CONCURRENCY = 8;

/**
 * Attributes the records of a period anew under today's rules, model and factors, the newest first; those that come
 * out otherwise get a new version. It reads as of when the job was opened, so it never meets a version of its own.
 */
export const reprocessingStepper =
  (deps: {
    readonly ledger: LedgerReader;
    readonly revise: Revise;
    readonly tenant: Tenant;
    readonly judging: TenantAttributionContext;
    readonly mark: MarkDirty;
  }): Stepper<JobOf<'reprocessing'>> =>
  async (job) => {
    const { ledger, revise, tenant, judging, mark } = deps;
    const { period, selection } = job.request;
    const nextVersionOf = (current: Attribution, at: number): Attribution | null => {
      const next = reattribute(current, tenant, judging.factors, judging, at);
      // A fallback's answer is no reason to change what stands; only what a recall takes back cannot stay.
      const isFallback = next?.record.interpretation.degradation_state === 'degraded_serving';
      return isFallback && selection.kind !== 'model' ? null : next;
    };
    const { items, resume } = await listRecords(ledger, {
      tenant,
      period: { from: Date.parse(period.from), to: Date.parse(period.to) },
      descending: true,
      after: job.cursor ?? undefined,
      residency: null,
      asOf: Date.parse(job.as_of),
      limit: STEP_RECORDS,
    });
    const chosen = items.filter(({ attribution }) => isSelected(attribution.record, selection));
    const outcomes = await pMap(
      chosen,
      async ({ attribution }) => {
        // What the walk read tells of most records that nothing changes, without reading them again.
        const preview = nextVersionOf(attribution, Date.parse(job.as_of));
        if (preview === null) return 'unchanged';
        const by = { claim: `${job.job_id}`, attempt: 1 };
        return revise(tenant, ulidInId(attribution.record.id), by, nextVersionOf);
      },
      { concurrency: CONCURRENCY },
    );
    // All that were looked at: a step that crashed may have changed any of them.
    await mark(
      tenant.tenant_id,
      chosen.map(({ attribution }) => Date.parse(attribution.record.occurred_at)),
    );
    const changed = outcomes.filter((outcome) => outcome === 'revised').length;
    return {
      job: withProgress(job, { examined: items.length, changed, cursor: resume }),
      isDone: resume === null,
    };
  };
