import * as z from 'zod';
import {
  commit,
  type Revision,
  readVersioned,
  type Versioned,
  writeDocument,
} from '../shared/aws/document.store.ts';

/** How far a round has come. */
export const RoundPosition = z.object({
  round: z.string(),
  /** The key of the last item that has its message. Null before the first page. */
  after: z.string().nullable(),
  isDone: z.boolean(),
});
export type RoundPosition = z.infer<typeof RoundPosition>;

export interface RoundPositions {
  readonly read: () => Promise<Versioned<RoundPosition> | null>;
  /** Returns false when another function has moved the position since `expected`. */
  readonly save: (position: RoundPosition, expected: Revision | null, by: Revision) => Promise<boolean>;
}

/** The position of the rounds of one name in one queue. The partition key is that of no tenant. */
export const roundPositions = (table: string, queue: string, name: string): RoundPositions => {
  const key = { pk: '#rounds', sk: `${queue}#${name}` };
  return {
    read: () => readVersioned(table, key, RoundPosition),
    save: (position, expectedRevision, by) =>
      commit([writeDocument(table, key, position, { expectedRevision, by })]),
  };
};
