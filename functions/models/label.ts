import * as z from 'zod';
import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { CHARGEBACK_FLOOR } from '../../schemas/values.ts';

/** An owner and a service as the one label that a model learns. */
const Label = z.tuple([z.string().nullable(), z.string().nullable()]);

/** Whom a label names. */
export const parseLabel = (label: string): { owner: string | null; service: string | null } => {
  const [owner, service] = Label.parse(JSON.parse(label));
  return { owner, service };
};

/**
 * What a record teaches: whom the rules or a person named, surely enough to be charged. Null for everything else, above
 * all for what a model said, which would only teach it its own mistakes.
 */
export const trainingLabelOf = ({
  owner,
  service,
  output_state,
  coper,
}: AttributionRecord): string | null => {
  const isAuthoritative =
    output_state === 'deterministically_resolved' || output_state === 'manually_overridden';
  if (!isAuthoritative || coper < CHARGEBACK_FLOOR) return null;
  return JSON.stringify([owner, service] satisfies z.infer<typeof Label>);
};
