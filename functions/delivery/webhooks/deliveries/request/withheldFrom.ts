import type { Scope } from '../../../../../schemas/identity/scopes.ts';
import { covers } from '../../endpoints/authorization.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { StoredEntry } from '../../streams/stream.store.ts';
import { type Withheld, withheld } from '../outcome/attemptOutcome.ts';

/**
 * The outcome of an entry that must not be sent. Null when it may be sent. The types of the endpoint are not enough: its
 * stream may hold an entry of a type it no longer subscribes to, and the current authorization may not cover that type.
 */
export const withheldFrom = (
  { events, authorized_by }: StoredEndpoint,
  held: ReadonlySet<Scope>,
  { event }: StoredEntry,
): Withheld | null => {
  if (!covers(held, events)) return withheld('unauthorized', authorized_by);
  return covers(held, [event.type]) ? null : withheld('unauthorized');
};
