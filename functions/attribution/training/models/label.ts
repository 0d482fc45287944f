import * as z from 'zod';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { CHARGEBACK_FLOOR } from '../../../../schemas/values.ts';

/** Owner and service. Together they are the label that a model learns. */
const Label = z.tuple([z.string().nullable(), z.string().nullable()]);

/** Decodes a label. Throws when the text is no label. */
export const parseLabel = (label: string): { owner: string | null; service: string | null } => {
  const [owner, service] = Label.parse(JSON.parse(label));
  return { owner, service };
};

/**
 * The training label of a record, if rules or a person attributed it with enough confidence for chargeback. Null for all
 * other records. Labels from a model are excluded, because a model must not learn its own mistakes.
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
