import { Scope } from '../../../schemas/identity/scopes.ts';

/**
 * The scopes of a token request (RFC 6749 §3.3), or all allowed scopes if it names none. Null if it names a scope that is
 * unknown or not allowed: scopes are never dropped silently.
 */
export const requestedScopes = (requested: string | undefined, allowed: readonly Scope[]): Scope[] | null => {
  const names = new Set((requested ?? '').split(' ').filter((name) => name !== ''));
  if (names.size === 0) return [...allowed];
  const scopes = [...names].map((name) => Scope.safeParse(name).data);
  return scopes.every((scope) => scope !== undefined && allowed.includes(scope))
    ? scopes.filter((scope) => scope !== undefined)
    : null;
};
