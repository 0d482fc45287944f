import * as z from 'zod';
import { roles } from '../../../schemas/access/roles.ts';
import { Scope } from '../../../schemas/access/scopes.ts';
import { scopeOfEvent } from '../../../schemas/events.ts';
import type { CredentialReader } from '../../access/credential.store.ts';
import { isSameActiveUser } from '../../access/delegation.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { Caller } from '../../tenancy/caller.ts';

const members = {
  id: z.string(),
  /** What the caller had: a token may have fewer scopes than its client or user, and authorizes no more than it could read. */
  scopes: z.array(Scope),
  /** Makes two authorizations by the same principal differ. */
  at: z.iso.datetime(),
};

/** Who let an endpoint be sent its events. */
export const Authorization = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api_key'), ...members }),
  z.object({ kind: z.literal('oauth_client'), ...members }),
  /** Users are stored under their address. */
  z.object({ kind: z.literal('user'), email: z.string(), ...members }),
]);
export type Authorization = z.infer<typeof Authorization>;

/** The authorization that a caller gives at `now` (epoch milliseconds). */
export const authorizationBy = (
  { kind, principal: id, scopes, email }: Pick<Caller, 'kind' | 'principal' | 'scopes' | 'email'>,
  now: number,
): Authorization => {
  const given = { id, scopes: [...scopes], at: new Date(now).toISOString() };
  if (kind !== 'user') return { kind, ...given };
  if (email === null) throw new Error('a user has an address');
  return { kind, email, ...given };
};

/**
 * The scopes that an endpoint of these types needs. A type of a later version needs none here: this version neither
 * raises nor sends such an event.
 */
const scopesFor = (types: readonly string[]): Scope[] => [
  ...new Set<Scope>(['webhooks:manage', ...types.flatMap((type) => scopeOfEvent(type) ?? [])]),
];

/** Whether these scopes suffice to have events of these types sent. */
export const covers = (held: ReadonlySet<Scope>, types: readonly string[]): boolean =>
  scopesFor(types).every((scope) => held.has(scope));

/** Whether these scopes read events of this type. Nobody reads a type that this version does not know. */
export const isReadable = (held: ReadonlySet<Scope>, type: string): boolean => {
  const scope = scopeOfEvent(type);
  return scope !== null && held.has(scope);
};

/** Throws INSUFFICIENT_SCOPE, with the scopes and types it is about, unless the caller may read events of these types. */
export const requireReadable = ({ scopes }: Pick<Caller, 'scopes'>, types: readonly string[]): void => {
  const missing = scopesFor(types).filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  const told = missing.map((scope) => {
    const unreadable = new Set(types.filter((type) => scopeOfEvent(type) === scope));
    return `${scope} (${[...unreadable].join(', ')})`;
  });
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    `The events of the endpoint need the scope ${told.join(' and ')}.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    },
  );
};

/** The scopes of a principal now; none once the key was revoked, the client deleted or the user removed. */
const scopesNow = async (
  credentials: CredentialReader,
  tag: string,
  authorization: Authorization,
): Promise<readonly Scope[]> => {
  switch (authorization.kind) {
    case 'api_key': {
      const key = await credentials.apiKey(authorization.id);
      // A key that has expired still counts: its expiry asks for a new secret, and takes no right away.
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
 * The scopes that an authorization is worth now, with one read: those the principal had then and still has. `tag` is the
 * tenant's. Throws what the SDK throws when the table cannot answer.
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
