import { auditAppend } from '../../../functions/entries/stores/identity.ts';
import { outboxAppend, resultsPage } from '../../../functions/entries/stores/platform.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { callAsTenant, type TenantRequest } from './callAsTenant.ts';
import type { TestResponse } from './harness.ts';
import { testEnvironment } from './testEnvironment.ts';

/** The stores that most operations use. */
const commonStores = (environment: Environment) => ({
  ...storesIn(environment, { auditAppend, outboxAppend, resultsPage }),
  cursorKey: async () => new Uint8Array(32),
});

/**
 * Operations behind the whole middleware pipeline, on real tables, with a test clock that begins at `now`. `storesOf` makes
 * the stores that are special to them, those of their needs with `storesIn`, and simulated ones of what is no table. `allScopes` are those of a caller that a test does not choose.
 */
export const startOperations = async <Stores, Name extends string>(
  operations: Readonly<
    Record<Name, (stores: NoInfer<Stores> & ReturnType<typeof commonStores>) => BoundOperation>
  >,
  storesOf: (environment: Environment) => Stores,
  { now, allScopes = scopeNames }: { readonly now: number; readonly allScopes?: readonly Scope[] },
) => {
  const live = await startTables();
  const time = { now };
  const clock = () => time.now;
  const environment = testEnvironment(clock);
  const stores = { ...storesOf(environment), ...commonStores(environment) };
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
