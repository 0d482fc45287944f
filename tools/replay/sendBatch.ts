import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { RequestAborted, RequestRejected } from '../client/errors.ts';
import type { ServiceClient } from '../client/serviceClient.ts';

/** The result of one event: true if accepted, otherwise the reason of the rejection. */
export type EventResult = true | string;

export interface BatchResult {
  /** Results in event order. Shorter than the batch if the rest got no response. */
  readonly verdicts: readonly EventResult[];
  /** The error that ends the replay. */
  readonly fault?: Error;
}

const PAYLOAD_TOO_LARGE = 413;

const isTooLarge = (fault: unknown): boolean =>
  fault instanceof RequestRejected && fault.status === PAYLOAD_TOO_LARGE;

/**
 * Sends one batch. A batch above the limit of the plan is sent in halves. Never throws: returns an error together with the
 * results before it.
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
