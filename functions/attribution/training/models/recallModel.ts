import { Model } from '../../../../schemas/attribution/models.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { recallModel } from '../../../../schemas/routes/attribution/models.ts';
import { changeOnce } from '../../../identity/audit/changeOnce.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { jobLocation, toJobStarted } from '../../../platform/jobs/startedJob.ts';
import { deterministicUlid } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { degradationEvent, degradationOf } from './degradation.ts';
import { applyRecall, degradationChangeOf } from './servingState.ts';

/** Newest models that are searched for one that can become active instead. */
const PRIOR_MODELS = 100;
const BEGINNING = toIso(0);
/** Tolerance for records with a time in the future. Producers' clocks may be ten minutes ahead. */
const CLOCK_SKEW_MS = HOUR_MS;

export default operation(recallModel, async (call) => {
  const { parameters, body, caller, claim, receivedAt, stores } = call;
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
  const { result: model } = await changeOnce(call, Model, async () => {
    // Read the serving state first: its write then detects every change made after this read.
    const { serving, revision } = await stores.models.current(tenantId);
    const current = (await stores.models.model(tenantId, ulid))?.document;
    if (current === undefined) throw new ProblemError('NOT_FOUND', 'There is no such model.');
    if (current.state === 'recalled' || current.state === 'rejected') {
      throw new ProblemError(
        'CONFLICT',
        `The model is ${current.state}. Only an active or validated model can be recalled.`,
      );
    }
    const others = await stores.models.models(tenantId, { descending: true, limit: PRIOR_MODELS });
    const rest = others.filter((other) => other.version !== version);
    const update = applyRecall(serving, current, rest, by);
    const [before, after] = [degradationOf(tenant, serving), degradationOf(tenant, update.serving)];
    const degradationChange = degradationChangeOf(before, after, 'model_recalled', version);
    return {
      writes: [
        ...update.models.map((one) => stores.models.putModel(tenantId, one, claim)),
        stores.models.putServing(tenantId, update.serving, { expectedRevision: revision, by: claim }),
        ...stores.jobs.create(job, claim),
        ...(degradationChange === null
          ? []
          : [stores.outbox.raise(degradationEvent(tenant, degradationChange, receivedAt))]),
      ],
      result: update.models[0] ?? current,
      resource: version,
      before: { state: current.state, active: serving?.active },
      after: { state: update.models[0]?.state, active: update.serving.active, reason: body.reason },
    };
  });
  await stores.jobQueue.sendAfterPropagation(job);
  return reply(202, { model, job: toJobStarted(job) }, jobLocation(job));
});
