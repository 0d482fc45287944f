import type { InvocationEvent, PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';

/** A Map instead of an object, because a layer may have any name, such as `constructor`. */
const pathwayOfLayer: ReadonlyMap<string, PathwayCategory> = new Map([
  ['application', 'application_direct'],
  ['gateway', 'gateway_mediated'],
  ['proxy', 'proxy_observed'],
  ['agent', 'agent_workflow'],
  ['batch', 'batch_pipeline'],
  ['saas', 'embedded_saas'],
]);

/** The pathway of a call: as the producer states it, or else derived from its capture layer. */
export const pathwayOf = (
  event: Pick<InvocationEvent, 'pathway_category' | 'ingestion_layer'>,
): PathwayCategory => event.pathway_category ?? pathwayOfLayer.get(event.ingestion_layer) ?? 'unknown';
