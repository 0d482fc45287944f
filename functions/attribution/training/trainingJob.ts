import type { Model } from '../../../schemas/attribution/models.ts';
import type { Job, JobOf } from '../../../schemas/jobs.ts';
import type { LedgerReader } from '../../ledger/records/ledger.store.ts';
import type { JobQueue, JobStore } from '../../platform/jobs/job.store.ts';
import { newJob, withProgress } from '../../platform/jobs/job.ts';
import type { Stepper } from '../../platform/jobs/jobRunner.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { deterministicUlid, idOf, ulidInId } from '../../platform/shared/ids.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { ArtefactWriter } from './models/artefact.store.ts';
import { degradationEvent, degradationOf } from './models/degradation.ts';
import type { ModelRegistry } from './models/registry.store.ts';
import { applyTraining, degradationChangeOf, isAdvisable } from './models/servingState.ts';
import { encodeArtefact } from './prediction/artefact.ts';
import { encodeHeuristic } from './prediction/heuristicTable.ts';
import { decodeTrainingState, encodeTrainingState } from './prediction/training/storedTrainingState.ts';
import { continueTraining, type TrainingResult, trainingResultOf } from './prediction/training/train.ts';
import { emptyTrainingState, type TrainingState } from './prediction/training/trainingState.ts';
import { gatherExamples, gatherNewExamples, settledAt, trainingWindow } from './trainingExamples.ts';
import { isRestartDue, isRetryDue, isTrainingDue } from './trainingSchedule.ts';

/** Optimistic lock: in each round at least one writer succeeds, so this many concurrent trainings and recalls succeed. */
const MAX_ATTEMPTS = 6;

export interface TrainingStores {
  readonly ledger: LedgerReader;
  readonly registry: ModelRegistry;
  readonly artefacts: ArtefactWriter;
  readonly outbox: Outbox;
  readonly jobs: JobStore;
  readonly queue: JobQueue;
}

/** A state that has learned the newest calls, and the number of calls that were read for it. */
interface Learned {
  readonly state: TrainingState;
  readonly examined: number;
}

/** The stored state of a tenant's training. Null when there is none, or when it cannot be read. */
const readState = async (artefacts: ArtefactWriter, tenantId: string): Promise<TrainingState | null> => {
  try {
    return decodeTrainingState(await artefacts.readTraining(tenantId));
  } catch {
    // Starting again from the ledger takes longer, but always works.
    return null;
  }
};

/** Learns every call of the training window. */
const startAgain = async (ledger: LedgerReader, tenant: Tenant, asOf: number): Promise<Learned> => {
  const state = emptyTrainingState(asOf);
  const examples = await gatherExamples(ledger, tenant, asOf);
  continueTraining(state, examples, settledAt(asOf));
  return { state, examined: examples.length };
};

/**
 * Continues the stored training with the calls since then, and starts again once a day. Returns null when too few calls
 * are new.
 */
const learnNewCalls = async (
  { ledger, artefacts }: Pick<TrainingStores, 'ledger' | 'artefacts'>,
  tenant: Tenant,
  asOf: number,
): Promise<Learned | null> => {
  const state = await readState(artefacts, tenant.tenant_id);
  if (state === null || isRestartDue(state, asOf)) return startAgain(ledger, tenant, asOf);
  const { learnedTo } = state;
  const examples = await gatherNewExamples(ledger, tenant, learnedTo, asOf);
  if (examples === null) return startAgain(ledger, tenant, asOf);
  const labelled = examples.filter(({ label }) => label !== null).length;
  if (!isTrainingDue({ calls: examples.length, labelled }, asOf - learnedTo)) return null;
  continueTraining(state, examples, Math.max(learnedTo, settledAt(asOf)));
  return { state, examined: examples.length };
};

/**
 * Trains a tenant's model on the records that the deterministic stage resolved. A model that passes the publication gate
 * becomes active. Once a day, a follow-up job applies it to the records that are still open. The version is
 * derived from the job, and a registered model is not trained again, so a retry only completes the remaining steps.
 */
export const trainingStepper = (
  stores: TrainingStores,
  { tenant, clock }: { readonly tenant: Tenant; readonly clock: Clock },
): Stepper<JobOf<'training'>> => {
  const { registry, artefacts, outbox, jobs, queue } = stores;
  const { tenant_id: tenantId } = tenant;

  /** The job that applies a model to the open records of calls since `retriedTo`, or of the whole window. */
  const followUpJob = (version: string, asOf: number, at: number, retriedTo: string | null): Job => {
    const ulid = deterministicUlid('unplaced', version, asOf);
    const { from, to } = trainingWindow(asOf);
    const period = { from: retriedTo ?? toIso(from), to: toIso(to) };
    return newJob(
      tenant,
      ulid,
      { type: 'reprocessing', period, selection: { kind: 'unplaced', again: retriedTo !== null } },
      at,
    );
  };

  const register = async (model: Model, { heuristic }: TrainingResult, job: Job): Promise<void> => {
    const asOf = Date.parse(job.as_of);
    const by = { claim: job.job_id, attempt: 1 };
    const registerOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const { serving, revision } = await registry.current(tenantId);
      // Read after the serving state. A concurrent run may have registered the model, and it may be recalled already.
      if ((await registry.model(tenantId, ulidInId(model.version))) !== null) return undefined;
      const active =
        serving.active === null ? null : await registry.model(tenantId, ulidInId(serving.active));
      const at = clock();
      const update = applyTraining(serving, model, active?.document ?? null, toIso(at));
      const [before, after] = [degradationOf(tenant, serving), degradationOf(tenant, update.serving)];
      const change = degradationChangeOf(before, after, 'model_validated', model.version);
      const isRetried = update.serving.active === model.version && isRetryDue(serving.retried_to, asOf);
      const retried = isRetried ? { retried_to: toIso(asOf) } : {};
      const written = await commit([
        ...update.models.map((changed) => registry.putModel(tenantId, changed, by)),
        registry.putHeuristic(tenantId, model.version, encodeHeuristic(heuristic)),
        registry.putServing(tenantId, { ...update.serving, ...retried }, { expectedRevision: revision, by }),
        ...(change === null ? [] : [outbox.raise(degradationEvent(tenant, change, at))]),
        ...(isRetried ? jobs.create(followUpJob(model.version, asOf, at, serving.retried_to), by) : []),
      ]);
      return written ? undefined : CONFLICT;
    };
    const subject = `the serving state of tenant ${tenantId}`;
    await retryOnConflict(registerOnce, { maxAttempts: MAX_ATTEMPTS, subject });
  };

  return async (job) => {
    const asOf = Date.parse(job.as_of);
    const version = idOf('mdl', tenant.tag, deterministicUlid('model', job.job_id, asOf));
    let examined = 0;
    if ((await registry.model(tenantId, ulidInId(version))) === null) {
      const { serving } = await registry.current(tenantId);
      // A requested training, and one after a recall, must see corrected records. Only the ledger has them.
      const isContinued = job.request.scheduled === true && serving.degradation !== 'model_recalled';
      const learned = isContinued
        ? await learnNewCalls(stores, tenant, asOf)
        : await startAgain(stores.ledger, tenant, asOf);
      if (learned === null) return { job, isDone: true };
      ({ examined } = learned);
      const { state } = learned;
      const result = trainingResultOf(state);
      const { gate } = result;
      // Written before the registry refers to it, so that no reader requests a missing artefact.
      if (gate.passed || isAdvisable({ gate })) {
        await artefacts.write(tenantId, version, encodeArtefact(result.artefact));
      }
      const model: Model = {
        version,
        state: 'rejected',
        trained_at: toIso(clock()),
        window: { from: toIso(trainingWindow(state.startedAt).from), to: job.as_of },
        examples: state.examples,
        labelled: state.labelled,
        labels: state.counts.labels.length,
        gate,
        activated_at: null,
        recalled_at: null,
        recalled_by: null,
        recall_reason: null,
      };
      await register(model, result, job);
      // Last: a crash before it makes the next training read these calls again, from the state before.
      await artefacts.writeTraining(tenantId, encodeTrainingState(state));
    }
    const followUp = await jobs.read(followUpJob(version, asOf, asOf, null));
    if (followUp !== null) await queue.sendAfterPropagation(followUp.document);
    const done = withProgress({ ...job, model_version: version }, { examined, changed: 0, cursor: null });
    return { job: done, isDone: true };
  };
};
