import { BATCH_BYTES_MAXIMUM } from '../../../../../schemas/delivery/webhookBatches.ts';
import type { ChunkLimits } from '../../../../platform/shared/chunksWithin.ts';

const OPENING = Buffer.from('{"events":[');
const SEPARATOR = Buffer.from(',');
const CLOSING = Buffer.from(']}');

/** The bytes that are signed and sent to an endpoint that receives batches. */
export const serializeBatch = (envelopes: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([
    OPENING,
    ...envelopes.flatMap((envelope, index) => (index === 0 ? [envelope] : [SEPARATOR, envelope])),
    CLOSING,
  ]);

/** The limits of one request for at most `items` events, if each event counts as the bytes of its envelope. */
export const batchLimits = (items: number): ChunkLimits => ({
  items,
  size: BATCH_BYTES_MAXIMUM - OPENING.length - CLOSING.length - (items - 1) * SEPARATOR.length,
});
