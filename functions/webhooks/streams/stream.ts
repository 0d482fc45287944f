import * as z from 'zod';

/** The stream of one endpoint: the last sequence that was given out, 0 before the first. */
export const Stream = z.object({ last: z.int().min(0) });
export type Stream = z.infer<typeof Stream>;

export const emptyStream: Stream = { last: 0 };

export interface SequencedEvent {
  readonly eventId: string;
  readonly sequence: number;
}

/**
 * The stream after events enter it, and the sequence of each, without a gap. Events that are in it already (`entered`)
 * keep what they have. To be committed in one transaction, on condition that the stream is still the one read and no
 * entry exists: then nobody else takes the same numbers, and none is lost with a crash.
 */
export const appendToStream = (
  { last }: Stream,
  eventIds: readonly string[],
  entered: ReadonlySet<string>,
): { readonly stream: Stream; readonly entries: readonly SequencedEvent[] } => {
  const fresh = [...new Set(eventIds)].filter((eventId) => !entered.has(eventId));
  return {
    stream: { last: last + fresh.length },
    entries: fresh.map((eventId, index) => ({ eventId, sequence: last + index + 1 })),
  };
};
