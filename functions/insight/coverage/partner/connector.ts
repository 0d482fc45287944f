import { memberAt } from '../../../platform/shared/memberAt.ts';
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

/** The client of a registered connector, under which its reports are stored. */
export const clientOf = ({ connector, principal }: Caller): { readonly client_id?: string } =>
  connector === undefined ? {} : { client_id: principal };

const refused = () =>
  new ProblemError(
    'INSUFFICIENT_SCOPE',
    'An event is not of a source system of this connector. No event was accepted.',
  );

/**
 * The events, each with a source system of the connector. A connector with one source system may leave it out. Throws
 * INSUFFICIENT_SCOPE if an event is of another one.
 */
export const requireOwnSourceSystems = (
  sourceSystems: readonly string[] | null,
  events: readonly unknown[],
): readonly unknown[] => {
  if (sourceSystems === null) return events;
  const [only, ...others] = sourceSystems;
  return events.map((sent) => {
    const named = memberAt(sent, 'source_system');
    const isOther = typeof named === 'string' ? !sourceSystems.includes(named) : named === undefined;
    if (isOther && (named !== undefined || others.length > 0)) throw refused();
    // A value that is no event, or no name, is rejected later with its own result.
    return isOther && typeof sent === 'object' && sent !== null ? { ...sent, source_system: only } : sent;
  });
};
