import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { RequestAborted, RequestRejected } from '../client/errors.ts';
import type { ServiceClient } from '../client/serviceClient.ts';

/** What became of the events of a batch: one verdict for each, in order, true for accepted and a reason otherwise. */
export type EventResult = true | string;

export interface BatchResult {
  /** As many as were answered; the rest of the batch was not. */
  readonly verdicts: readonly EventResult[];
  /** Why nothing more can be sent. */
  readonly fault?: Error;
}

const PAYLOAD_TOO_LARGE = 413;

const isTooLarge = (fault: unknown): boolean =>
  fault instanceof RequestRejected && fault.status === PAYLOAD_TOO_LARGE;

/**
 * Sends one batch. A batch above what the plan admits at once is sent in halves. Never throws: a fault that ends the
 * replay comes back with what was answered before it.
 */
export const sendBatch = async (
  client: Pick<ServiceClient, 'postBatch'>,
  events: readonly InvocationEvent[],
  stop: AbortSignal,
): Promise<BatchResult> => {
  if (events.length === 0) return { verdicts: [] };
  try {
    const { results } = await client.postBatch(events, stop);
    const verdicts = results.map((result): EventResult => {
      if (result.status === 'queued') return true;
      const [error] = result.errors;
      return error === undefined ? 'rejected' : `${error.pointer} ${error.detail}`;
    });
    return { verdicts };
  } catch (fault) {
    if (isTooLarge(fault) && events.length > 1) {
      const half = Math.ceil(events.length / 2);
      const first = await sendBatch(client, events.slice(0, half), stop);
      if (first.fault !== undefined) return first;
      const second = await sendBatch(client, events.slice(half), stop);
      return { ...second, verdicts: [...first.verdicts, ...second.verdicts] };
    }
    if (fault instanceof RequestAborted) return { verdicts: [] };
    return { verdicts: [], fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }
};
