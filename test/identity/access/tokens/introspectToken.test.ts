import { beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../../../../functions/identity/access/grants/grant.ts';
import type { OAuthClient } from '../../../../functions/identity/access/principals/client.ts';
import type { User } from '../../../../functions/identity/access/principals/user.ts';
import type { AccessToken } from '../../../../functions/identity/access/tokens/accessToken.ts';
import { introspectToken } from '../../../../functions/identity/access/tokens/introspectToken.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const ENDED = '2026-05-01T11:00:00.000Z';

let client: OAuthClient | null;
let grant: Grant | null;
let user: User | null;
let revoked: Set<string>;

beforeEach(() => {
  client = {
    client_id: 'cli_1',
    tenant_id: 'acme',
    name: 'app',
    scopes: ['read:attribution', 'export:create', 'ingest:write'],
    residency: 'eu',
    grant_types: ['client_credentials', 'authorization_code'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    secrets: null,
    created_by: 'operator',
    created_at: ENDED,
    deleted_at: null,
  };
  grant = {
    grant_id: 'grt_1',
    client_id: 'cli_1',
    tenant_id: 'acme',
    tenant_tag: 'k3vcq2mc',
    user_id: 'usr_1',
    email: 'ann@acme.example',
    scopes: ['read:attribution', 'export:create'],
    signed_in_at: NOW - 60_000,
    refresh: null,
    expires_at: NOW + 86_400_000,
    revoked_at: null,
  };
  user = {
    user_id: 'usr_1',
    tenant_id: 'acme',
    email: 'ann@acme.example',
    role: 'finops',
    created_at: ENDED,
    removed_at: null,
  };
  revoked = new Set();
});

const token = (change: Partial<AccessToken> = {}): AccessToken => ({
  tenantId: 'acme',
  clientId: 'cli_1',
  subject: 'cli_1',
  grantId: null,
  scopes: new Set<Scope>(['read:attribution', 'export:create']),
  jti: 'token-1',
  expiresAt: NOW + 900_000,
  ...change,
});
const userToken = (change: Partial<AccessToken> = {}) =>
  token({ subject: 'usr_1', grantId: 'grt_1', ...change });

const introspect = (one: AccessToken) =>
  introspectToken(one, {
    credentials: {
      apiKey: async () => null,
      client: async (id) => (id === client?.client_id ? client : null),
      user: async (tag, email) => (tag === 'k3vcq2mc' && email === user?.email ? user : null),
    },
    grants: {
      grant: async (id) => (id === grant?.grant_id ? grant : null),
      isRevoked: async (jti) => revoked.has(jti),
    },
  });
const changed = <Value>(value: Value | null, change: Partial<Value>): Value | null =>
  value === null ? null : { ...value, ...change };

describe('introspectToken for a client token', () => {
  it('returns the client with its lane and without a sign-in time', async () => {
    expect(await introspect(token())).toEqual({
      principal: 'cli_1',
      kind: 'oauth_client',
      email: null,
      scopes: new Set(['read:attribution', 'export:create']),
      residency: 'eu',
      signedInAt: null,
    });
  });

  it.each([
    [
      'a client without a registration loses the scope of a connector, and keeps others',
      undefined,
      ['ingest:write'],
    ],
    ['a registered connector keeps it', ['kong'], ['partner:connector', 'ingest:write']],
  ])('%s', async (_which, systems, expected) => {
    const scopes: Scope[] = ['partner:connector', 'ingest:write'];
    client = changed(client, { scopes, ...(systems !== undefined && { source_systems: systems }) });

    expect((await introspect(token({ scopes: new Set(scopes) })))?.scopes).toEqual(new Set(expected));
  });

  it('drops scopes that the client has lost', async () => {
    client = changed(client, { scopes: ['read:attribution'] });

    expect((await introspect(token()))?.scopes).toEqual(new Set(['read:attribution']));
  });

  it.each([
    ['its client does not exist', () => (client = null)],
    ['its client was deleted', () => (client = changed(client, { deleted_at: ENDED }))],
    ['its client is another tenant’s', () => (client = changed(client, { tenant_id: 'globex' }))],
    ['it was revoked', () => revoked.add('token-1')],
  ])('returns null once %s', async (_, happens) => {
    happens();

    expect(await introspect(token())).toBeNull();
  });

  it('returns the client after the revocation of another token', async () => {
    revoked.add('token-2');

    expect(await introspect(token())).not.toBeNull();
  });
});

describe('introspectToken for a delegated token', () => {
  it('returns the user with the sign-in time', async () => {
    expect(await introspect(userToken())).toEqual({
      principal: 'usr_1',
      kind: 'user',
      email: 'ann@acme.example',
      scopes: new Set(['read:attribution', 'export:create']),
      residency: 'eu',
      signedInAt: NOW - 60_000,
    });
  });

  it('drops scopes that the role does not allow', async () => {
    user = changed(user, { role: 'engineer' });

    expect((await introspect(userToken()))?.scopes).toEqual(new Set(['read:attribution']));
  });

  it.each([
    ['its grant does not exist', () => (grant = null)],
    ['its grant was revoked', () => (grant = changed(grant, { revoked_at: ENDED }))],
    ['its grant is another client’s', () => (grant = changed(grant, { client_id: 'cli_2' }))],
    ['its user does not exist', () => (user = null)],
    ['its user was removed', () => (user = changed(user, { removed_at: ENDED }))],
    ['its user has another id', () => (user = changed(user, { user_id: 'usr_2' }))],
    ['its client was deleted', () => (client = changed(client, { deleted_at: ENDED }))],
    ['it was revoked', () => revoked.add('token-1')],
  ])('returns null once %s', async (_, happens) => {
    happens();

    expect(await introspect(userToken())).toBeNull();
  });

  it('checks that the token names the user of its grant', async () => {
    expect(await introspect(userToken({ subject: 'usr_2' }))).toBeNull();
  });
});
