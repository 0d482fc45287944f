import pMap from 'p-map';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import type { JobOf } from '../../../../schemas/jobs.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { LedgerReader } from '../../../ledger/records/ledger.store.ts';
import { listRecords } from '../../../ledger/records/query/listRecords.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { withProgress } from '../../../platform/jobs/job.ts';
import type { Stepper } from '../../../platform/jobs/jobRunner.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import type { Revise } from '../revise.ts';
import { reattribute } from './reattribute.ts';

type Selection = JobOf<'reprocessing'>['request']['selection'];

/** Whether a job processes a record. */
const isSelected = (record: AttributionRecord, selection: Selection): boolean => {
  const { model_version, evidence_basis, answers } = record.interpretation;
  switch (selection.kind) {
    case 'all':
      return true;
    case 'model':
      return model_version === selection.version;
    case 'unplaced':
      return (
        evidence_basis !== 'model_inferred' &&
        [answers.owner, answers.service].some(({ state }) => state !== 'confirmed')
      );
  }
};

/** Whether a version names an owner or a service that was open. */
const fillsAnswer = (current: Attribution, next: Attribution): boolean =>
  (['owner', 'service'] as const).some(
    (member) =>
      current.record[member] === null &&
      next.record.interpretation.answers[member].evidence_basis === 'model_inferred',
  );

/** Records examined per step. */
const STEP_RECORDS = 200;
/** Records revised in parallel. */
const CONCURRENCY = 8;

/**
 * Re-attributes the records of a period under the current rules, model and factors, newest first. Records whose result
 * differs get a new version. The job reads as of its creation, so it never reads a version that it wrote itself.
 */
export const reprocessingStepper =
  (deps: {
    readonly ledger: LedgerReader;
    readonly revise: Revise;
    readonly tenant: Tenant;
    readonly context: TenantAttributionContext;
    readonly mark: MarkDirty;
  }): Stepper<JobOf<'reprocessing'>> =>
  async (job) => {
    const { ledger, revise, tenant, context, mark } = deps;
    const { period, selection } = job.request;
    const nextVersionOf = (current: Attribution, startsAt: () => number): Attribution | null => {
      const next = reattribute(
        current,
        tenant,
        context.factors,
        { ...context, isAgain: selection.kind === 'unplaced' && selection.again === true },
        startsAt(),
      );
      // A fallback prediction does not replace an existing result, except for records of a recalled model.
      const isFallback = next?.record.interpretation.degradation_state === 'degraded_serving';
      if (next === null || (isFallback && selection.kind !== 'model')) return null;
      // Another suggestion is worth no version.
      return selection.kind === 'unplaced' && !fillsAnswer(current, next) ? null : next;
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
        // For most records the listed version shows that nothing changes. This saves a second read.
        const preview = nextVersionOf(attribution, () => Date.parse(job.as_of));
        if (preview === null) return 'unchanged';
        const by = { claim: `${job.job_id}`, attempt: 1 };
        return revise(tenant, ulidInId(attribution.record.id), by, nextVersionOf);
      },
      { concurrency: CONCURRENCY },
    );
    // Mark all selected records, not only the revised ones: an earlier attempt that crashed may have changed any of them.
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
