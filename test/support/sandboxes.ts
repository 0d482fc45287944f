import { randomUUID } from 'node:crypto';
import { commit } from '../../functions/platform/shared/aws/document.store.ts';
import { type SandboxStore, sandboxStore } from '../../functions/tenants/sandbox/sandbox.store.ts';
import type { SandboxState } from '../../schemas/tenants/sandbox.ts';
import type { Deployment } from '../../tools/operator/deployment.ts';

/** The sandboxes of a deployment, and a change of one that nobody else changes. */
export const sandboxesOf = (
  deployment: Pick<Deployment, 'output'>,
): SandboxStore & { readonly replace: (tenantId: string, state: SandboxState) => Promise<void> } => {
  const store = sandboxStore(deployment.output('TableTenants'));
  return {
    ...store,
    replace: async (tenantId, state) => {
      const found = await store.find(tenantId);
      const options = {
        expectedRevision: found?.revision ?? null,
        by: { claim: `test ${randomUUID()}`, attempt: 1 },
      };
      if (!(await commit([store.put(tenantId, state, options)])))
        throw new Error(`the sandbox ${tenantId} changed`);
    },
  };
};

/** A sandbox without a data set, which a test does not wait for. */
export const IDLE: SandboxState = { live_until: null, reset: null };
