import { Scope } from '../../../schemas/identity/scopes.ts';
import { nearestName } from '../../platform/shared/nearestName.ts';

const namesIn = (requested = ''): ReadonlySet<string> =>
  new Set(requested.split(' ').filter((name) => name !== ''));

/** The first allowed scope that a name in the request is probably a misspelling of. Undefined if there is none. */
export const suggestedScope = (
  requested: string | undefined,
  allowed: readonly Scope[],
): string | undefined =>
  [...namesIn(requested)]
    .filter((name) => !allowed.some((scope) => scope === name))
    .map((name) => nearestName(name, allowed))
    .find((suggestion) => suggestion !== undefined);

/**
 * The scopes of a token request (RFC 6749 §3.3), or all allowed scopes if it names none. Null if it names a scope that is
 * unknown or not allowed: scopes are never dropped silently.
 */
export const requestedScopes = (requested: string | undefined, allowed: readonly Scope[]): Scope[] | null => {
  const names = namesIn(requested);
  if (names.size === 0) return [...allowed];
  const scopes = [...names].map((name) => Scope.safeParse(name).data);
  return scopes.every((scope) => scope !== undefined && allowed.includes(scope))
    ? scopes.filter((scope) => scope !== undefined)
    : null;
};
