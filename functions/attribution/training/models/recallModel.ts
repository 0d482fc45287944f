import { HOUR_MS } from '../../../../schemas/durations.ts';
import type { Model } from '../../../../schemas/models.ts';
import { recallModel } from '../../../../schemas/routes/attribution/models.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { deterministicUlid } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { degradationEvent, degradationOf } from './degradation.ts';
import { applyRecall, degradationChangeOf } from './servingState.ts';
import { toJobStarted } from './toJobStarted.ts';

/** Newest models that are searched for one that can become active instead. */
const PRIOR_MODELS = 100;
const BEGINNING = toIso(0);
/** Tolerance for records with a time in the future. Producers' clocks may be ten minutes ahead. */
const CLOCK_SKEW_MS = HOUR_MS;

export default operation(recallModel, async (call) => {
  const { parameters, body, caller, claim, receivedAt, auditContext, stores } = call;
  const { tenant } = caller;
  const { tenant_id: tenantId } = tenant;
  const ulid = parameters['version'] ?? '';
  const at = toIso(receivedAt);
  const by = { principal: caller.principal, reason: body.reason, at };
  const version = `mdl_${tenant.tag}${ulid}`;
  const job = newJob(
    tenant,
    deterministicUlid('recall', claim.claim, receivedAt),
    {
      type: 'reprocessing',
      period: { from: BEGINNING, to: toIso(receivedAt + CLOCK_SKEW_MS) },
      selection: { kind: 'model', version },
    },
    receivedAt,
  );
  let result: Model | undefined;

  await updateWithRetry(
    claim,
    async () => {
      // Read the serving state first: its write then detects every change made after this read.
      const { serving, revision } = await stores.models.current(tenantId);
      const model = await stores.models.model(tenantId, ulid);
      if (model === null) return null;
      const others = await stores.models.models(tenantId, { descending: true, limit: PRIOR_MODELS });
      return {
        document: { model: model.document, serving, servingRevision: revision, others },
        revision: model.revision,
      };
    },
    ({ document: { model, serving, servingRevision, others } }, isRetry) => {
      result = model;
      if (isRetry) return null;
      if (model.state === 'recalled' || model.state === 'rejected') {
        throw new ProblemError(
          'CONFLICT',
          `The model is ${model.state}. Only an active or validated model can be recalled.`,
        );
      }
      const rest = others.filter((other) => other.version !== version);
      const update = applyRecall(serving, model, rest, by);
      result = update.models[0] ?? model;
      const [before, after] = [degradationOf(tenant, serving), degradationOf(tenant, update.serving)];
      const degradationChange = degradationChangeOf(before, after, 'model_recalled', version);
      return [
        ...update.models.map((one) => stores.models.putModel(tenantId, one, claim)),
        stores.models.putServing(tenantId, update.serving, {
          expectedRevision: servingRevision,
          by: claim,
        }),
        stores.jobs.create(job, claim),
        stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: version })),
        ...(degradationChange === null
          ? []
          : [stores.outbox.raise(degradationEvent(tenant, degradationChange, receivedAt))]),
      ];
    },
  );
  await stores.jobQueue.sendAfterPropagation(job);
  return reply(202, { model: result, job: toJobStarted(job) });
});
