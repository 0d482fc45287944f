import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';

/**
 * The connector that the caller is. An administrator of the tenant, who holds the scope too, acts for any source system:
 * only a client with source systems can be registered with this scope alone.
 */
export const connectorOf = ({
  connector,
  principal,
}: Caller): { readonly name: string; readonly sourceSystems: readonly string[] | null } =>
  connector ?? { name: principal, sourceSystems: null };

const sourceSystemOf = (sent: unknown): unknown =>
  typeof sent === 'object' && sent !== null && Object.hasOwn(sent, 'source_system')
    ? Reflect.get(sent, 'source_system')
    : undefined;

/**
 * The source system of an event that names `named`. A connector with one source system may leave it out. Throws
 * INSUFFICIENT_SCOPE if the event is of another one.
 */
export const requireOwnSourceSystem = (sourceSystems: readonly string[], named: unknown): string => {
  const [only, ...others] = sourceSystems;
  if (typeof named === 'string' && sourceSystems.includes(named)) return named;
  if (named === undefined && only !== undefined && others.length === 0) return only;
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    'An event is not of a source system of this connector. No event was accepted.',
  );
};

/**
 * The events of a batch, each with a source system of the connector. Throws INSUFFICIENT_SCOPE if an event is of another
 * one.
 */
export const requireOwnSourceSystems = (
  sourceSystems: readonly string[] | null,
  events: readonly unknown[],
): readonly unknown[] => {
  if (sourceSystems === null) return events;
  return events.map((sent) => {
    const source_system = requireOwnSourceSystem(sourceSystems, sourceSystemOf(sent));
    // Text and numbers are rejected later, each with its own result.
    return typeof sent === 'object' && sent !== null ? { ...sent, source_system } : sent;
  });
};
