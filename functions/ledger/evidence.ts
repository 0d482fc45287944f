import type * as z from 'zod';
import { InvocationEventFields } from '../../schemas/ingestion/invocationEvent.ts';

/** What of an event tells who made the call. A span hands it on to the others of its trace. */
export const Evidence = InvocationEventFields.pick({
  attributed_identity: true,
  attributed_service: true,
  attribution_confidence: true,
  spiffe_id: true,
  k8s_cluster: true,
  k8s_namespace: true,
  k8s_workload: true,
  api_key_name: true,
  source_system: true,
  tags: true,
});
export type Evidence = z.infer<typeof Evidence>;
