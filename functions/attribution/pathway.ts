import type { InvocationEvent, PathwayCategory } from '../../schemas/ingestion/invocationEvent.ts';

/** A map, since a producer may call its layer anything, `constructor` included. */
const pathwayOfLayer: ReadonlyMap<string, PathwayCategory> = new Map([
  ['application', 'application_direct'],
  ['gateway', 'gateway_mediated'],
  ['proxy', 'proxy_observed'],
  ['agent', 'agent_workflow'],
  ['batch', 'batch_pipeline'],
  ['saas', 'embedded_saas'],
]);

/** The pathway a call came by: as its producer says, else as its capture layer suggests. */
export const pathwayOf = (
  event: Pick<InvocationEvent, 'pathway_category' | 'ingestion_layer'>,
): PathwayCategory => event.pathway_category ?? pathwayOfLayer.get(event.ingestion_layer) ?? 'unknown';
