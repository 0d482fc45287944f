import type { Scope } from '../../schemas/scopes.ts';
import { idOf } from '../shared/ids.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type ApiKey, apiKeyText, secretHash, secretOf } from './apiKey.ts';
import type { OAuthClient } from './client.ts';

/** A credential as it is stored, and its secret as its holder sees it, once. */
export interface Minted<Stored> {
  readonly stored: Stored;
  readonly secret: string;
}

interface Grant {
  readonly tenant: Pick<Tenant, 'tenant_id' | 'tag'>;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Instant (epoch milliseconds) and randomness come from outside, so that minting is a rule. */
interface Source {
  readonly at: number;
  readonly random: (bytes: number) => Uint8Array;
}

const SALT_BYTES = 16;
const SECRET_BYTES = 32;
const ENTROPY_BYTES = 10;

const sealed = ({ random }: Source, prefix: string) => {
  const salt = Buffer.from(random(SALT_BYTES)).toString('hex');
  const secret = prefix + secretOf(random(SECRET_BYTES));
  return { salt, secret, hash: secretHash(salt, secret) };
};

export const mintApiKey = (
  grant: Grant & { readonly mode: 'live' | 'test'; readonly expiresAt: number | null },
  source: Source,
): Minted<ApiKey> => {
  const { tenant, name, scopes, mode, expiresAt } = grant;
  const id = `${tenant.tag}${ulidOf(source.at, source.random(ENTROPY_BYTES))}`;
  const { salt, secret, hash } = sealed(source, '');
  return {
    secret: apiKeyText(mode, id, secret),
    stored: {
      key_id: `key_${id}`,
      tenant_id: tenant.tenant_id,
      name,
      scopes: [...scopes],
      salt,
      hash,
      state: 'active',
      created_at: new Date(source.at).toISOString(),
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    },
  };
};

export const mintClient = (grant: Grant, source: Source): Minted<OAuthClient> => {
  const { tenant, name, scopes } = grant;
  const { salt, secret, hash } = sealed(source, 'acs_');
  return {
    secret,
    stored: {
      client_id: idOf('cli', tenant.tag, ulidOf(source.at, source.random(ENTROPY_BYTES))),
      tenant_id: tenant.tenant_id,
      name,
      scopes: [...scopes],
      salt,
      hash,
      created_at: new Date(source.at).toISOString(),
    },
  };
};
