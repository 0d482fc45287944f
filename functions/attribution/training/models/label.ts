import * as z from 'zod';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { labelInLane, withoutLane } from '../prediction/likelihood/labelLane.ts';

/** Owner and service. Together they are the label that a model learns. */
const Label = z.tuple([z.string().nullable(), z.string().nullable()]);

/** Decodes a label. Throws when the text is no label. */
export const parseLabel = (label: string): { owner: string | null; service: string | null } => {
  const [owner, service] = Label.parse(JSON.parse(withoutLane(label)));
  return { owner, service };
};

/** The name, if rules or a person confirmed it. A model must not learn its own mistakes. */
export const learnableName = (record: AttributionRecord, member: 'owner' | 'service'): string | null => {
  const { state, evidence_basis } = record.interpretation.answers[member];
  return state === 'confirmed' && evidence_basis !== 'model_inferred' ? record[member] : null;
};

/** The training label of a record: what rules or a person confirmed of it. Null for all other records. */
export const trainingLabelOf = (record: AttributionRecord, lane?: string): string | null => {
  const names = [learnableName(record, 'owner'), learnableName(record, 'service')] as const;
  return names.every((name) => name === null)
    ? null
    : labelInLane(JSON.stringify(names satisfies readonly [...z.infer<typeof Label>]), lane);
};
