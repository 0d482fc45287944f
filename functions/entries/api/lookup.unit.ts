import lookUpAttribution from '../../insight/lookup/lookUpAttribution.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { identityList } from '../stores/attribution.ts';
import { budgetsList } from '../stores/insight.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [(stores) => lookUpAttribution(stores, systemClock)],
  stores: { identityList, budgetsList },
});
