import { scopesOfEvent } from '../../../../schemas/delivery/events.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';

/**
 * The scopes that an endpoint with these types needs. A type of a later version adds no scope, because this version does
 * not raise or send its events.
 */
const scopesFor = (types: readonly string[]): Scope[] => [
  ...new Set<Scope>(['webhooks:manage', ...types.flatMap(scopesOfEvent)]),
];

/** Whether these scopes allow an endpoint to receive events of these types. */
export const covers = (held: ReadonlySet<Scope>, types: readonly string[]): boolean =>
  scopesFor(types).every((scope) => held.has(scope));

/** Whether these scopes allow reading events of this type. A type that this version does not know is never readable. */
export const isReadable = (held: ReadonlySet<Scope>, type: string): boolean => {
  const scopes = scopesOfEvent(type);
  return scopes.length > 0 && scopes.every((scope) => held.has(scope));
};

/** Throws INSUFFICIENT_SCOPE, with the missing scopes and their types, unless the caller may read events of these types. */
export const requireReadable = ({ scopes }: Pick<Caller, 'scopes'>, types: readonly string[]): void => {
  const missing = scopesFor(types).filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return;
  const reasons = missing.map((scope) => {
    const unreadable = new Set(types.filter((type) => scopesOfEvent(type).includes(scope)));
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
