import type { JobOf } from '../../schemas/jobs.ts';
import type { Model } from '../../schemas/models.ts';
import type { LedgerReader } from '../attribution/store.ts';
import type { Outbox } from '../events/outbox.store.ts';
import type { ArtefactWriter } from '../models/artefact.store.ts';
import { degradationEvent } from '../models/degradation.ts';
import type { ModelRegistry } from '../models/registry.store.ts';
import { changeOf, trained } from '../models/serving.ts';
import { encodeArtefact } from '../prediction/artefact.ts';
import { encodeHeuristic } from '../prediction/heuristicTable.ts';
import { train } from '../prediction/train.ts';
import type { Clock } from '../shared/clock.ts';
import { commit } from '../shared/document.store.ts';
import { claimedUlid, idOf, ulidInId } from '../shared/ids.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { gatherExamples, WINDOW_MILLISECONDS } from './examples.ts';
import { advanced } from './job.ts';
import type { Stepper } from './run.ts';

/** Of trainings and recalls at the same moment one gets through each time, so this many do. */
const TRIES = 6;

/**
 * Trains a tenant's model on what the deterministic stage resolved, and lets it serve if it passes the gate. The
 * version follows from the job, and a model that is in the registry is never trained again: a retry finds what was done.
 */
export const training =
  (deps: {
    readonly ledger: LedgerReader;
    readonly registry: ModelRegistry;
    readonly artefacts: ArtefactWriter;
    readonly outbox: Outbox;
    readonly tenant: Tenant;
    readonly clock: Clock;
  }): Stepper<JobOf<'training'>> =>
  async (job) => {
    const { ledger, registry, artefacts, outbox, tenant, clock } = deps;
    const { tenant_id: tenantId } = tenant;
    const asOf = Date.parse(job.as_of);
    const version = idOf('mdl', tenant.tag, claimedUlid('model', job.job_id, asOf));
    const by = { claim: job.job_id, attempt: 1 };
    const done = { ...job, model_version: version };
    if ((await registry.model(tenantId, ulidInId(version))) !== null) return { job: done, done: true };

    const examples = await gatherExamples(ledger, tenant, asOf);
    const { artefact, heuristic, gate } = train(examples);
    // Before the registry names it, so that nothing is ever asked for that is not there.
    if (gate.passed) await artefacts.write(tenantId, version, encodeArtefact(artefact));
    const labels = examples.flatMap(({ label }) => label ?? []);
    const model: Model = {
      version,
      state: 'rejected',
      trained_at: new Date(clock()).toISOString(),
      window: {
        from: new Date(asOf - WINDOW_MILLISECONDS).toISOString(),
        to: new Date(asOf).toISOString(),
      },
      examples: examples.length,
      labelled: labels.length,
      labels: new Set(labels).size,
      gate: { ...gate, criteria: gate.criteria.map((criterion) => ({ ...criterion })) },
      activated_at: null,
      recalled_at: null,
      recalled_by: null,
      recall_reason: null,
    };
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const { serving, revision } = await registry.current(tenantId);
      const active =
        serving.active === null ? null : await registry.model(tenantId, ulidInId(serving.active));
      const at = clock();
      const act = trained(serving, model, active?.document ?? null, new Date(at).toISOString());
      const change = changeOf(serving.degradation, act.serving.degradation, 'model_validated', version);
      const written = await commit([
        ...act.models.map((changed) => registry.putModel(tenantId, changed, by)),
        registry.putHeuristic(tenantId, version, encodeHeuristic(heuristic)),
        registry.putServing(tenantId, act.serving, { seen: revision, by }),
        ...(change === null ? [] : [outbox.raise(degradationEvent(tenant, change, at))]),
      ]);
      if (written) {
        return { job: advanced(done, { examined: examples.length, changed: 0, cursor: null }), done: true };
      }
    }
    throw new Error('what serves was changed by others too often');
  };
