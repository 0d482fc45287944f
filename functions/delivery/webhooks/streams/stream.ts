import * as z from 'zod';

/** The stream of one endpoint: the last sequence number it assigned, or 0 before the first. */
export const Stream = z.object({ last: z.int().min(0) });
export type Stream = z.infer<typeof Stream>;

export const emptyStream: Stream = { last: 0 };

export interface SequencedEvent {
  readonly eventId: string;
  readonly sequence: number;
}

/**
 * Appends events to a stream. Returns the stream afterwards, and the new entries with gapless sequence numbers. Events in
 * `appended` are in the stream already and are skipped. The caller must commit both in one transaction, on condition that
 * the stream is unchanged and that no entry exists. Then no two writers assign the same number, and a crash loses none.
 */
export const appendToStream = (
  { last }: Stream,
  eventIds: readonly string[],
  appended: ReadonlySet<string>,
): { readonly stream: Stream; readonly entries: readonly SequencedEvent[] } => {
  const fresh = [...new Set(eventIds)].filter((eventId) => !appended.has(eventId));
  return {
    stream: { last: last + fresh.length },
    entries: fresh.map((eventId, index) => ({ eventId, sequence: last + index + 1 })),
  };
};
