import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { callAsTenant, type TenantRequest } from './callAsTenant.ts';
import type { TestResponse } from './harness.ts';

/** The stores that most operations use. */
const common = {
  audit: auditLog('audit'),
  outbox: outbox('outbox'),
  cursorKey: async () => new Uint8Array(32),
};

/**
 * Operations behind the whole middleware pipeline, on real tables, with a test clock that begins at `now`. `storesOf` makes
 * the stores that are special to them. `allScopes` are those of a caller that a test does not choose.
 */
export const startOperations = async <Stores, Name extends string>(
  operations: Readonly<Record<Name, (stores: NoInfer<Stores> & typeof common) => BoundOperation>>,
  storesOf: (clock: () => number) => Stores,
  { now, allScopes = scopeNames }: { readonly now: number; readonly allScopes?: readonly Scope[] },
) => {
  const live = await startTables();
  const time = { now };
  const clock = () => time.now;
  const stores = { ...storesOf(clock), ...common };
  return {
    live,
    time,
    newTenant,
    auditOf: live.auditOf,
    eventsOf: live.eventsOf,
    everything: live.everything,
    /** One call by a credential of the tenant. `sent.id` is the id in the path, where the route has one. */
    call: (name: Name, sent: TenantRequest, scopes: readonly Scope[] = allScopes): Promise<TestResponse> =>
      callAsTenant(operations[name](stores), sent, { scopes, clock }),
  };
};
