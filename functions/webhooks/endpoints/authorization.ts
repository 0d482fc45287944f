import * as z from 'zod';
import { roles } from '../../../schemas/access/roles.ts';
import { Scope } from '../../../schemas/access/scopes.ts';
import { scopeOfEvent } from '../../../schemas/events.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import { isSameActiveUser } from '../../access/delegation.ts';
import { ProblemError } from '../../shared/problem.ts';
import { toIso } from '../../shared/toIso.ts';
import type { Caller } from '../../tenancy/caller.ts';

const members = {
  id: z.string(),
  /** The scopes of the credential that made the call. A token may have fewer scopes than its client or user. */
  scopes: z.array(Scope),
  /** Distinguishes two authorizations by the same principal. */
  at: z.iso.datetime(),
};

/** The principal whose scopes allow an endpoint to receive its events. */
export const Authorization = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api_key'), ...members }),
  z.object({ kind: z.literal('oauth_client'), ...members }),
  /** Users are stored under their e-mail address. */
  z.object({ kind: z.literal('user'), email: z.string(), ...members }),
]);
export type Authorization = z.infer<typeof Authorization>;

/** The authorization that a caller gives at `now` (epoch milliseconds). */
export const authorizationBy = (
  { kind, principal: id, scopes, email }: Pick<Caller, 'kind' | 'principal' | 'scopes' | 'email'>,
  now: number,
): Authorization => {
  const common = { id, scopes: [...scopes], at: toIso(now) };
  if (kind !== 'user') return { kind, ...common };
  if (email === null) throw new Error('a user without an e-mail address');
  return { kind, email, ...common };
};

/**
 * The scopes that an endpoint with these types needs. A type of a later version adds no scope, because this version does
 * not raise or send its events.
 */
const scopesFor = (types: readonly string[]): Scope[] => [
  ...new Set<Scope>(['webhooks:manage', ...types.flatMap((type) => scopeOfEvent(type) ?? [])]),
];

/** Whether these scopes allow an endpoint to receive events of these types. */
export const covers = (held: ReadonlySet<Scope>, types: readonly string[]): boolean =>
  scopesFor(types).every((scope) => held.has(scope));

/** Whether these scopes allow reading events of this type. A type that this version does not know is never readable. */
export const isReadable = (held: ReadonlySet<Scope>, type: string): boolean => {
  const scope = scopeOfEvent(type);
  return scope !== null && held.has(scope);
};

/** Throws INSUFFICIENT_SCOPE, with the missing scopes and their types, unless the caller may read events of these types. */
export const requireReadable = ({ scopes }: Pick<Caller, 'scopes'>, types: readonly string[]): void => {
  const missing = scopesFor(types).filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  const reasons = missing.map((scope) => {
    const unreadable = new Set(types.filter((type) => scopeOfEvent(type) === scope));
    return `${scope} (${[...unreadable].join(', ')})`;
  });
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    `The events of the endpoint need the scope ${reasons.join(' and ')}.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    },
  );
};

/** The current scopes of a principal. Empty once the key was revoked, the client deleted or the user removed. */
const scopesNow = async (
  credentials: CredentialReader,
  tag: string,
  authorization: Authorization,
): Promise<readonly Scope[]> => {
  switch (authorization.kind) {
    case 'api_key': {
      const key = await credentials.apiKey(authorization.id);
      // An expired key still counts: expiry requires a new secret, but it does not withdraw the key's scopes.
      return key === null || key.revoked_at !== null ? [] : key.scopes;
    }
    case 'oauth_client': {
      const client = await credentials.client(authorization.id);
      return client === null || client.deleted_at !== null ? [] : client.scopes;
    }
    case 'user': {
      const user = await credentials.user(tag, authorization.email);
      return isSameActiveUser(user, authorization.id) ? roles[user.role] : [];
    }
  }
};

/**
 * The scopes that an authorization grants now: those the principal had when it authorized the endpoint and still has. Makes
 * one read. `tag` is the tenant's. Throws the SDK's error when the table does not answer.
 */
export const heldScopes = async (
  credentials: CredentialReader,
  tag: string,
  authorization: Authorization | null,
): Promise<ReadonlySet<Scope>> => {
  if (authorization === null) return new Set();
  const now: ReadonlySet<Scope> = new Set(await scopesNow(credentials, tag, authorization));
  return new Set(authorization.scopes.filter((scope) => now.has(scope)));
};
