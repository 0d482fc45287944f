import type { StatedBy } from '../../../../schemas/attribution/statedBy.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';

/** Identifies who observed a call. */
export const observerOf = (
  { ingestion_layer, source_system }: Pick<InvocationEvent, 'ingestion_layer' | 'source_system'>,
  statedBy: StatedBy | undefined,
): string =>
  sha256Of('observer', statedBy?.kind ?? '', statedBy?.id ?? '', ingestion_layer, source_system ?? '')
    .subarray(0, 9)
    .toString('base64url');
