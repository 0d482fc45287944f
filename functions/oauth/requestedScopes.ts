import { Scope } from '../../schemas/access/scopes.ts';

/**
 * The scopes that a request asks for (RFC 6749 §3.3), or all it may have where it names none.
 * Null when it asks for more than it may have: nothing is trimmed in silence.
 */
export const requestedScopes = (requested: string | undefined, allowed: readonly Scope[]): Scope[] | null => {
  const names = new Set((requested ?? '').split(' ').filter((name) => name !== ''));
  if (names.size === 0) return [...allowed];
  const scopes = [...names].map((name) => Scope.safeParse(name).data);
  return scopes.every((scope) => scope !== undefined && allowed.includes(scope))
    ? scopes.filter((scope) => scope !== undefined)
    : null;
};
