import type { ServingState } from '../../functions/attribution/training/models/servingState.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import type { MeasuredService } from '../support/service.ts';

const VERSION = 'mdl_bench';

/** Publishes a model for the sender tenant, as the last step of a training job does. Throws on a write conflict. */
export const publishModel = async (
  { functionOf, sender: { tenant_id: tenantId } }: MeasuredService,
  artefact: Uint8Array,
): Promise<void> => {
  const { variables } = functionOf('WorkersAttribution');
  // The S3 client reads the environment of a function when it is imported.
  for (const name of ['BASE_URL', 'ENVIRONMENT', 'PUBLIC_CONTRACT']) process.env[name] ??= variables[name];
  const { artefactWriter } = await import('../../functions/attribution/training/models/artefact.store.ts');
  const { servingWriter } = await import('../../functions/attribution/training/models/registry.store.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');

  await artefactWriter(variables[variableOf('bucket', 'artefacts')] ?? '').write(tenantId, VERSION, artefact);
  const registry = servingWriter(variables[variableOf('table', 'models')] ?? '');
  const { revision } = await registry.current(tenantId);
  const serving: ServingState = {
    active: VERSION,
    candidate: null,
    heuristic: VERSION,
    retried_to: null,
    degradation: 'none',
    since: new Date().toISOString(),
  };
  const by = { claim: 'bench', attempt: 1 };
  const written = await commit([registry.putServing(tenantId, serving, { expectedRevision: revision, by })]);
  if (!written) throw new Error('the serving state changed concurrently');
};
