import { idOf } from '../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import type { Model } from '../../schemas/attribution/models.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';

/** A model that passed the publication gate. */
export const aModel = (version: string, members: Partial<Model> = {}): Model => ({
  version,
  state: 'validated',
  trained_at: '2026-07-15T12:00:00.000Z',
  window: { from: '2026-06-17T12:00:00.000Z', to: '2026-07-15T12:00:00.000Z' },
  examples: 2_000,
  labelled: 1_000,
  labels: 12,
  gate: {
    passed: true,
    tested: 800,
    criteria: [],
    reliability: [{ calls: 800, confidence: 0.97, accuracy: 0.98 }],
  },
  activated_at: '2026-07-15T12:00:00.000Z',
  recalled_at: null,
  recalled_by: null,
  recall_reason: null,
  ...members,
});

/** Stores models in a tenant's registry without a training. The last model becomes active. */
export const seedModels = async (
  deployment: Deployment,
  tenant: { readonly tenant_id: string; readonly tag: string },
  count: number,
): Promise<void> => {
  const { modelRegistry } = await import('../../functions/attribution/training/models/registry.store.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const registry = modelRegistry(deployment.output('TableModels'));
  const by = { claim: 'planted', attempt: 1 };
  const versions = Array.from({ length: count }, (_, index) =>
    idOf('mdl', tenant.tag, ulidOf(index + 1, new Uint8Array(10))),
  );
  const active = versions.at(-1) ?? null;
  const { serving, revision } = await registry.current(tenant.tenant_id);
  await commit([
    ...versions.map((version) =>
      registry.putModel(
        tenant.tenant_id,
        aModel(version, { state: version === active ? 'active' : 'validated' }),
        by,
      ),
    ),
    registry.putServing(tenant.tenant_id, { ...serving, active }, { expectedRevision: revision, by }),
  ]);
};
