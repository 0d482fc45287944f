import { randomUUID } from 'node:crypto';
import type { Deployment } from '../../tools/operator/deployment.ts';

/** A receiver that always resolves and never answers. The instance must allow it (`WEBHOOK_ALLOW_HOSTS`). */
export const SILENT_RECEIVER = 'localhost:9';

/** Marks an endpoint as verified, as if its challenge had been answered. Throws when the endpoint does not exist. */
export const verifyEndpoint = async (
  deployment: Deployment,
  { tenant_id }: { readonly tenant_id: string },
  id: string,
): Promise<void> => {
  const { endpointStateStore } = await import(
    '../../functions/delivery/webhooks/endpoints/endpoint.store.ts'
  );
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const endpoints = endpointStateStore(deployment.output('TableWebhooks'));
  const stored = await endpoints.versioned(tenant_id, id);
  if (stored === null) throw new Error(`Endpoint ${id} does not exist.`);
  const verified = {
    ...stored.document,
    state: { status: 'verified' as const, failing_since: null },
    sealed_challenge: null,
  };
  const by = { claim: randomUUID(), attempt: 1 };
  await commit([endpoints.replace(tenant_id, verified, stored.revision, by)]);
};
