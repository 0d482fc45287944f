import type { GrantType } from '../../../schemas/identity/oauthClient.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { idOf } from '../../platform/shared/ids.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { type ApiKey, type CredentialMode, formatApiKey } from '../access/principals/apiKey.ts';
import type { OAuthClient } from '../access/principals/client.ts';
import {
  hashSecret,
  newSecret,
  type Random,
  rotateSecrets,
  type Secrets,
} from '../access/principals/secret.ts';
import type { ConnectorRegistration } from './connectorRegistration.ts';

/** A credential as stored, and its secret text, which the caller receives once. */
export interface IssuedCredential<Stored> {
  readonly stored: Stored;
  readonly secret: string;
}

/** The inputs of a new credential. All are injected, so that issuing is a pure function. `at` is epoch milliseconds. */
export interface IssueContext {
  readonly tenant: Pick<Tenant, 'tenant_id' | 'tag'>;
  readonly ulid: string;
  readonly at: number;
  readonly createdBy: string;
  readonly random: Random;
}

interface Rights {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly residency: string | null;
}

/** Issues an API key. `expiresAt` is epoch milliseconds. */
export const issueApiKey = (
  context: IssueContext,
  rights: Rights & { readonly expiresAt: number },
  mode: CredentialMode,
): IssuedCredential<ApiKey> => {
  const { tenant, ulid, at, createdBy, random } = context;
  const secret = newSecret(random);
  return {
    secret: formatApiKey(mode, tenant.tag + ulid, secret),
    stored: {
      key_id: idOf('key', tenant.tag, ulid),
      tenant_id: tenant.tenant_id,
      name: rights.name,
      scopes: [...rights.scopes],
      residency: rights.residency,
      secrets: { current: hashSecret(secret, random), previous: null },
      created_by: createdBy,
      created_at: toIso(at),
      rotated_at: null,
      expires_at: toIso(rights.expiresAt),
      revoked_at: null,
    },
  };
};

interface Rotation {
  /** Epoch milliseconds. */
  readonly at: number;
  /** How long the old secret stays valid, in milliseconds. */
  readonly overlap: number;
  readonly random: Random;
}

const nextSecrets = (secrets: Secrets, secret: string, { at, overlap, random }: Rotation): Secrets =>
  rotateSecrets(secrets, hashSecret(secret, random), { at, overlap });

/** The key with a new secret. Id, name, scopes and lane stay the same. */
export const rotateApiKeySecret = (
  key: ApiKey,
  rotation: Rotation & { readonly expiresAt: number },
  mode: CredentialMode,
): IssuedCredential<ApiKey> => {
  const secret = newSecret(rotation.random);
  const secrets = nextSecrets(key.secrets, secret, rotation);
  return {
    secret: formatApiKey(mode, key.key_id.slice('key_'.length), secret),
    stored: { ...key, secrets, rotated_at: toIso(rotation.at), expires_at: toIso(rotation.expiresAt) },
  };
};

/** Lets secret scanners recognize a client secret. */
const CLIENT_SECRET_PREFIX = 'acs_';

export interface ClientRegistration extends Rights {
  /** Of a partner's connector. */
  readonly connector?: ConnectorRegistration;
  readonly grantTypes: readonly GrantType[];
  readonly redirectUris: readonly string[];
  readonly authentication: OAuthClient['token_endpoint_auth_method'];
}

/** Issues an OAuth client. A public client gets no secret. */
export const issueClient = (
  context: IssueContext,
  registration: ClientRegistration,
): { readonly stored: OAuthClient; readonly secret: string | null } => {
  const { tenant, ulid, at, createdBy, random } = context;
  const secret = registration.authentication === 'none' ? null : CLIENT_SECRET_PREFIX + newSecret(random);
  return {
    secret,
    stored: {
      client_id: idOf('cli', tenant.tag, ulid),
      tenant_id: tenant.tenant_id,
      name: registration.name,
      scopes: [...registration.scopes],
      ...registration.connector,
      residency: registration.residency,
      grant_types: [...registration.grantTypes],
      redirect_uris: [...registration.redirectUris],
      token_endpoint_auth_method: registration.authentication,
      secrets: secret === null ? null : { current: hashSecret(secret, random), previous: null },
      created_by: createdBy,
      created_at: toIso(at),
      deleted_at: null,
    },
  };
};

/** The client with a new secret. Throws for a public client, which has none. */
export const rotateClientSecret = (
  client: OAuthClient,
  rotation: Rotation,
): IssuedCredential<OAuthClient> => {
  if (client.secrets === null) throw new Error('a public client has no secret to rotate');
  const secret = CLIENT_SECRET_PREFIX + newSecret(rotation.random);
  const secrets = nextSecrets(client.secrets, secret, rotation);
  return { secret, stored: { ...client, secrets } };
};
