import * as z from 'zod';
import { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import type { ParsedRow } from './jsonRows.ts';
import type { Labels } from './row.ts';

const Members = z.record(z.string(), z.unknown());

/** Placeholder for a row without an event id, so that the schema accepts it. Never sent. */
const NO_ID = '00000000-0000-8000-8000-000000000000';

const overridesOf = ({ provider, model, service, identity }: Labels): Record<string, string> => ({
  ...(provider !== undefined && { provider }),
  ...(model !== undefined && { requested_model: model }),
  ...(service !== undefined && { attributed_service: service }),
  ...(identity !== undefined && { attributed_identity: identity }),
});

/**
 * Parses rows that are complete invocation events. Labels of the command line override those of the row. Unknown members,
 * such as content, are removed and never leave the machine.
 */
export const eventReader = (labels: Labels) => {
  const overrides = overridesOf(labels);
  return (value: unknown): ParsedRow => {
    const { data: members } = Members.safeParse(value);
    if (members === undefined) return { reason: 'not a JSON object' };
    const { data: event, error } = InvocationEvent.safeParse({
      event_id: NO_ID,
      ...members,
      ...overrides,
    });
    if (event === undefined) {
      const [fault] = error.issues;
      return { reason: `${fault?.path.join('.') ?? ''} ${fault?.message ?? ''}`.trim() };
    }
    const { event_id, ingestion_timestamp, occurred_at = ingestion_timestamp, ...call } = event;
    return {
      at: Date.parse(occurred_at),
      capturedAt: Date.parse(ingestion_timestamp),
      call,
      ...(members['event_id'] !== undefined && { ownId: event_id }),
    };
  };
};
