import { randomUUID } from 'node:crypto';
import { auditLog } from '../../functions/audit/auditLog.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { idempotencyStore } from '../../functions/idempotency/idempotencyKey.store.ts';
import { responseStore } from '../../functions/idempotency/responses.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Scope } from '../../schemas/access/scopes.ts';
import { caller, type Outcome, responsesIn, serve } from './harness.ts';

/** One call by a credential of a tenant. */
export interface TenantSent {
  readonly tenant: Tenant;
  /** What the operation is about: the value of the parameter in its path. */
  readonly id?: string | undefined;
  readonly body?: unknown;
  readonly type?: string;
  readonly query?: Record<string, string>;
  /** Its Idempotency-Key; default: a new one. */
  readonly key?: string;
  readonly residency?: string | null;
  /** Id of the key that calls. */
  readonly principal?: string;
}

/** Makes the call behind the whole onion, on the real tables for audit and idempotency. */
export const tenantCall = (
  { route, run }: BoundOperation,
  sent: TenantSent,
  by: { readonly scopes: readonly Scope[]; readonly clock: () => number },
): Promise<Outcome> => {
  const { tenant, id, body, type = 'application/json', query, key = randomUUID(), residency = null } = sent;
  const { principal = caller.principal } = sent;
  const [parameter, name] = /\{(\w+)\}/.exec(route.path) ?? [];
  return serve(
    route,
    run,
    {
      path: parameter === undefined ? route.path : route.path.replace(parameter, id ?? ''),
      headers: {
        'x-api-key': 'ask_good',
        ...(route.method !== 'GET' && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(name !== undefined && id !== undefined && { parameters: { [name]: id } }),
      ...(query !== undefined && { query }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    {
      authenticator: async () => ({ ...caller, tenant, principal, residency, scopes: new Set(by.scopes) }),
      audit: auditLog('audit'),
      claims: idempotencyStore('idempotency'),
      responses: responsesIn(responseStore('idempotency')),
      clock: by.clock,
    },
  );
};
