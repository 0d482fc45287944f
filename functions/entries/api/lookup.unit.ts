import { mappingReader } from '../../attribution/mappings/mapping.store.ts';
import { budgetReader } from '../../insight/budgets/budget.store.ts';
import lookUpAttribution from '../../insight/lookup/lookUpAttribution.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const stores = {
  mappings: mappingReader(resource('table', 'identity')),
  budgets: budgetReader(resource('table', 'budgets')),
};

export const handler = unit([lookUpAttribution(stores, systemClock)], pipelineFromEnv());
