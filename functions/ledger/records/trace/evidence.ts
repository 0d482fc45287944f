import type * as z from 'zod';
import { InvocationEventFields } from '../../../../schemas/ingest/invocationEvent.ts';

/** The members of an event that identify the caller. They are shared between the spans of a trace. */
export const Evidence = InvocationEventFields.pick({
  attributed_identity: true,
  end_user: true,
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
