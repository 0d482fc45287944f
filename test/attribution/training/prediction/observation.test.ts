import { expect, it } from 'vitest';
import { featuresOf } from '../../../../functions/attribution/training/prediction/likelihood/features.ts';
import { observationOf } from '../../../../functions/attribution/training/prediction/observation.ts';
import { anEvent } from '../../engine/events.ts';

it('leaves out the stated identity, service and cost', () => {
  const event = anEvent({
    attributed_identity: 'team-search',
    attributed_service: 'ranking',
    attribution_confidence: 0.9,
    trace_id: 'a'.repeat(32),
    estimated_cost_usd: '1',
  });

  expect(observationOf(event, 5)).toEqual({
    ingestion_layer: 'gateway',
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_000,
    output_tokens: 200,
    occurredAt: 5,
  });
});

it('keeps the fields that identify a workload', () => {
  const members = {
    api_key_name: 'k',
    tags: ['a'],
    k8s_namespace: 'n',
    k8s_workload: 'w',
    source_system: 's',
  };

  expect(observationOf(anEvent(members), 5)).toMatchObject(members);
});

it('gives equal values of different fields different features', () => {
  const bare = observationOf(anEvent(), 5);
  const key = featuresOf({ ...bare, api_key_name: 'search' });
  const system = featuresOf({ ...bare, source_system: 'search' });

  expect(key.refinements).not.toEqual(system.refinements);
  expect(key.identities).not.toEqual(system.identities);
});
