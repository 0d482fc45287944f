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

/** A source system that is left out. */
const NAMELESS: ReadonlySet<unknown> = new Set([undefined, null, '']);

/** A connector with several source systems has to name one for each event. */
const missing = (places: readonly string[], allowed: readonly string[]) =>
  new ProblemError('VALIDATION_FAILED', 'An event names no source system. No event was accepted.', {
    errors: places.map((place) => ({
      pointer: `${place}/source_system`,
      detail: 'is required: this connector has several source systems',
      allowed: [...allowed],
    })),
  });

/**
 * The events, each with a source system of the connector. A connector with one source system may leave it out. `placeOf`: the
 * JSON Pointer of an event. Throws VALIDATION_FAILED if an event has to name one, and INSUFFICIENT_SCOPE if an event is of
 * another one.
 */
export const requireOwnSourceSystems = (
  sourceSystems: readonly string[] | null,
  events: readonly unknown[],
  placeOf: (index: number) => string,
): readonly unknown[] => {
  if (sourceSystems === null) return events;
  const [only, ...others] = sourceSystems;
  const isEvent = (sent: unknown): sent is object => typeof sent === 'object' && sent !== null;
  const nameless = (sent: object): boolean => NAMELESS.has(memberAt(sent, 'source_system'));
  const unnamed = events.flatMap((sent, index) => (isEvent(sent) && nameless(sent) ? [placeOf(index)] : []));
  if (unnamed.length > 0 && others.length > 0) throw missing(unnamed, sourceSystems);
  return events.map((sent) => {
    // A value that is no event is rejected later with its own result.
    if (!isEvent(sent)) return sent;
    if (nameless(sent)) return { ...sent, source_system: only };
    // Also a number: the name would be corrected to its digits.
    if (!sourceSystems.some((system) => system === memberAt(sent, 'source_system'))) throw refused();
    return sent;
  });
};
