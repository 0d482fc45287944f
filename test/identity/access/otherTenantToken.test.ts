import { beforeEach, describe, expect, it } from 'vitest';
import {
  issueAccessToken,
  type TokenContent,
} from '../../../functions/identity/access/tokens/accessToken.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { caller, NOW, serve, testRoute } from '../../platform/http/harness.ts';
import { clientIssuer } from '../oauth/issuedCredentials.ts';
import { stackAuthenticator, stackRows } from './stackFixture.ts';
import { signer } from './testSigner.ts';

const issuer = 'https://api.example.com';
const { tenant } = caller;

let rows: ReturnType<typeof stackRows>;
let clientId: string;
let foreignClientId: string;

beforeEach(() => {
  rows = stackRows();
  // `ACME` is a tenant of its own: tenant ids are compared exactly.
  for (const tenant_id of [tenant.tenant_id, 'globex', 'ACME']) {
    rows.tenants.set(tenant_id, { ...tenant, tenant_id });
  }
  const issueClient = clientIssuer();
  const [own, foreign] = [issueClient().stored, { ...issueClient().stored, tenant_id: 'globex' }];
  for (const client of [own, foreign]) rows.clients.set(client.client_id, client);
  [clientId, foreignClientId] = [own.client_id, foreign.client_id];
});

/** Presents a token that our key signed. Resolves with the tenant that the operation ran for, if it ran. */
const present = async (claims: Partial<TokenContent>) => {
  const token = await issueAccessToken(
    { tenantId: tenant.tenant_id, clientId, scopes: ['ingest:write'], ...claims },
    { issuer, now: NOW, jti: 'id', signer },
  );
  const ranFor: (string | undefined)[] = [];
  const { status, body } = await serve(
    testRoute({ access: 'ingest:write' }),
    (exchange) => {
      ranFor.push(exchange.caller?.tenant.tenant_id);
      return reply(200, {});
    },
    { headers: { authorization: `Bearer ${token}` } },
    { authenticator: stackAuthenticator(rows, { environment: 'production', issuer, keys: signer }) },
  );
  const { trace_id: _, ...problem } = body;
  return { status, problem, ranFor };
};

describe('a token that our key signed', () => {
  it('is accepted for the tenant of its client', async () => {
    expect(await present({})).toMatchObject({ status: 200, ranFor: ['acme'] });
  });

  it.each<[string, () => Partial<TokenContent>]>([
    ['another tenant with a client of this one', () => ({ tenantId: 'globex' })],
    ['this tenant with a client of another one', () => ({ clientId: foreignClientId })],
    ['an unknown tenant', () => ({ tenantId: 'nobody' })],
    ['a tenant whose id differs in case only', () => ({ tenantId: 'ACME' })],
    ['an unknown tenant whose id differs in case only', () => ({ tenantId: 'Acme' })],
    ['a tenant id with a trailing space', () => ({ tenantId: 'acme ' })],
    [
      'another tenant with a client of this one and a user',
      () => ({ tenantId: 'globex', user: { userId: 'usr_1', grantId: 'grt_1', signedInAt: NOW } }),
    ],
  ])('runs nothing and tells nothing when it names %s', async (_, claimsOf) => {
    const claims = claimsOf();

    const { status, problem, ranFor } = await present(claims);
    const reads = rows.reads.toSorted();
    const unknownClient = await present({ clientId: 'cli_unknown' });

    expect([status, ranFor]).toEqual([401, []]);
    // The answer is the same as for a client that does not exist.
    expect(problem).toEqual(unknownClient.problem);
    // Only the rows that the claims name are read: no row of the client's own tenant, no user, no data.
    expect(reads).toEqual(
      [
        `tenant:${claims.tenantId ?? tenant.tenant_id}`,
        `client:${claims.clientId ?? clientId}`,
        'revocation:id',
        ...(claims.user === undefined ? [] : [`grant:${claims.user.grantId}`]),
      ].toSorted(),
    );
  });
});
