import { sha256Of } from '../../../platform/shared/hash.ts';

/** The partition of a trace. A producer chooses the id of a trace and can put a name into it, which a key would keep for good. */
export const tracePartition = (tenantId: string, traceId: string): string =>
  `${tenantId}#${sha256Of('trace', tenantId, traceId).subarray(0, 18).toString('base64url')}`;
