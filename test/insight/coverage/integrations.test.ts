import { describe, expect, it } from 'vitest';
import type { Capture, Observation } from '../../../functions/insight/coverage/heartbeat.store.ts';
import { integrationsOf } from '../../../functions/insight/coverage/integrations/integrations.ts';
import { SLOT_MS } from '../../../functions/insight/coverage/timeSlot.ts';
import type { IntegrationName } from '../../../schemas/insight/coverage.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-01T12:00:00Z');
const BASE_URL = 'https://attribution.example';

const observed = (members: Partial<Capture>, ...ages: readonly number[]): Observation => ({
  capture: {
    pathway_category: 'gateway_mediated',
    ingestion_layer: 'gateway',
    source_system: null,
    residency: null,
    ...members,
  },
  slots: ages.map((age) => NOW - age).sort((one, other) => one - other),
});
const all = (observations: readonly Observation[] = []) => integrationsOf(observations, NOW, BASE_URL);
const find = (name: IntegrationName, observations: readonly Observation[]) =>
  all(observations).find(({ integration }) => integration === name);

describe('the integrations of a tenant', () => {
  it.each<[IntegrationName, Partial<Capture>]>([
    ['opentelemetry', { ingestion_layer: 'otlp', source_system: 'opentelemetry.instrumentation.openai' }],
    ['coding_agents', { ingestion_layer: 'otlp', pathway_category: 'agent_workflow' }],
    ['litellm', { source_system: 'litellm' }],
    ['bedrock', { ingestion_layer: 'provider_log', source_system: 'bedrock' }],
    ['vertex_ai', { ingestion_layer: 'provider_log', source_system: 'vertex_ai' }],
    ['azure_api_management', { source_system: 'azure_api_management' }],
    ['events_api', { ingestion_layer: 'application', source_system: 'crm' }],
    ['events_api', {}],
  ])('%s is live after an event with the labels %o, and no other is', (name, labels) => {
    const seen = all([observed(labels, 0)]).filter(({ status }) => status !== 'not_seen');

    expect(seen).toMatchObject([
      { integration: name, status: 'live', last_seen: '2026-05-01T12:00:00.000Z' },
    ]);
  });

  it('that were never used have a snippet with the endpoint of the service', () => {
    for (const { status, last_seen, setup } of all()) {
      expect([status, last_seen]).toEqual(['not_seen', null]);
      expect(setup.snippet).toContain(`${BASE_URL}/api/v1/`);
      expect(setup.snippet).toContain('YOUR_INGEST_KEY');
    }
  });

  it('become silent, then lost, when all their sources are', () => {
    const hourly = Array.from({ length: 20 * 24 }, (_, hour) => DAY_MS + hour * 6 * SLOT_MS);
    const ofSystem = (source_system: string, ...ages: readonly number[]) =>
      observed({ source_system, ingestion_layer: 'otlp' }, ...ages);

    expect(find('opentelemetry', [ofSystem('one', ...hourly)])).toMatchObject({ status: 'lost' });
    expect(find('opentelemetry', [ofSystem('one', ...hourly), ofSystem('two', 0)])).toMatchObject({
      status: 'live',
      source_systems: ['two', 'one'],
    });
    const twoHours = hourly.map((age) => age - DAY_MS + 2 * 6 * SLOT_MS);
    expect(find('opentelemetry', [ofSystem('one', ...twoHours)])).toMatchObject({ status: 'silent' });
  });
});
