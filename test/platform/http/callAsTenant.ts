import { randomUUID } from 'node:crypto';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { idempotencyClaims } from '../../../functions/platform/idempotency/idempotencyClaim.store.ts';
import { responseStore } from '../../../functions/platform/idempotency/response.store.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { caller, serve, storedResponsesIn, type TestResponse } from './harness.ts';

/** One call by a credential of a tenant. */
export interface TenantRequest {
  readonly tenant: Tenant;
  /** The value of the path parameter. */
  readonly id?: string | undefined;
  readonly body?: unknown;
  readonly type?: string;
  readonly query?: Record<string, string>;
  /** The Idempotency-Key; by default a new one. */
  readonly key?: string;
  readonly residency?: string | null;
  /** Id of the calling API key. */
  readonly principal?: string;
  /** The connector that the caller is; by default the caller is an API key. */
  readonly connector?: Caller['connector'];
  /** The sign-in time of a calling user in epoch milliseconds; by default the caller is not a user. */
  readonly signedInAt?: number;
  /** The address of a calling user; by default the caller is not a user. */
  readonly email?: string;
}

/** Runs the call in the whole middleware pipeline, with real tables for audit and idempotency. */
export const callAsTenant = (
  { route, run, decode }: BoundOperation,
  sent: TenantRequest,
  by: { readonly scopes: readonly Scope[]; readonly clock: () => number },
): Promise<TestResponse> => {
  const { tenant, id, body, type = 'application/json', query, key = randomUUID(), residency = null } = sent;
  const { principal = caller.principal, signedInAt = null, connector, email } = sent;
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
      authenticator: async () => ({
        ...caller,
        tenant,
        principal,
        residency,
        signedInAt,
        ...(email !== undefined && { kind: 'user', email }),
        ...(connector !== undefined && { kind: 'oauth_client', connector }),
        scopes: new Set(by.scopes),
      }),
      audit: auditLog('audit'),
      claims: idempotencyClaims('idempotency'),
      responses: storedResponsesIn(responseStore('idempotency')),
      clock: by.clock,
      ...(decode !== undefined && { decode }),
    },
  );
};
