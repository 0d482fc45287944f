import { hash } from 'node:crypto';
import type { ApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import type { Random } from '../../../functions/identity/access/principals/secret.ts';
import {
  type ClientRegistration,
  type IssueContext,
  type IssuedCredential,
  issueApiKey,
  issueClient,
} from '../../../functions/identity/credentials/issueCredential.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';

export const NOW = Date.parse('2026-05-01T12:00:00Z');
export const DAY = 24 * 60 * 60 * 1_000;
export const TENANT = { tenant_id: 'acme', tag: 'k3vcq2mc' };

/** Deterministic bytes that differ from call to call. */
export const sequentialRandom = (seed = ''): Random => {
  let calls = 0;
  return (length) => {
    calls += 1;
    return hash('sha256', `${seed} ${calls}`, 'buffer').subarray(0, length);
  };
};

/** Issue contexts for a sequence of credentials with distinct ids and secrets. */
export const issueContexts = (random = sequentialRandom()) => {
  return (members: Partial<IssueContext> = {}): IssueContext => ({
    tenant: TENANT,
    ulid: ulidOf(NOW, random(10)),
    at: NOW,
    createdBy: 'operator',
    random,
    ...members,
  });
};

type KeyRights = Parameters<typeof issueApiKey>[1];

export const apiKeyIssuer = (birth = issueContexts()) => {
  return (rights: Partial<KeyRights> = {}, mode: 'live' | 'test' = 'test'): IssuedCredential<ApiKey> =>
    issueApiKey(
      birth(),
      { name: 'ci', scopes: ['ingest:write'], residency: null, expiresAt: NOW + DAY, ...rights },
      mode,
    );
};

export const clientIssuer = (birth = issueContexts()) => {
  return (registration: Partial<ClientRegistration> = {}) =>
    issueClient(birth(), {
      name: 'ci',
      scopes: ['ingest:write'],
      residency: null,
      grantTypes: ['client_credentials'],
      redirectUris: [],
      authentication: 'client_secret_basic',
      ...registration,
    });
};
