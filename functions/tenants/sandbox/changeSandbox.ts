import { type Sandbox, SandboxState } from '../../../schemas/tenants/sandbox.ts';
import { changeOnce, type MutationCall } from '../../identity/audit/changeOnce.ts';
import type { SandboxStore } from './sandbox.store.ts';
import { notASandbox, toSandbox } from './sandbox.ts';

interface SandboxCall extends MutationCall {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly stores: MutationCall['stores'] & { readonly sandboxes: SandboxStore };
}

/** Changes a sandbox in one transaction with its audit entry. Throws CONFLICT for a tenant that is not a sandbox. */
export const changeSandbox = async (
  call: SandboxCall,
  change: (state: SandboxState) => SandboxState,
): Promise<Sandbox> => {
  const { caller, receivedAt, claim, stores } = call;
  const { tenant_id: resource, sandbox: isSandbox } = caller.tenant;
  const { result } = await changeOnce(call, SandboxState, async () => {
    const found = isSandbox === true ? await stores.sandboxes.find(resource) : null;
    if (found === null) throw notASandbox();
    const next = change(found.document);
    const revisions = { expectedRevision: found.revision, by: claim };
    return {
      writes: [stores.sandboxes.put(resource, next, revisions)],
      result: next,
      resource,
      before: found.document,
      after: next,
    };
  });
  return toSandbox(result, receivedAt);
};
