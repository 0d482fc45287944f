import { randomUUID } from 'node:crypto';
import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { call } from '../../test/support/client.ts';
import type { SoakClient, Target } from './client.ts';
import type { AcknowledgedChange, Journal } from './journal.ts';

interface Change {
  readonly kind: AcknowledgedChange['kind'];
  readonly path: string;
  readonly body: unknown;
  readonly name: string;
  /** The record that it changes. Null: the response has the id of what it creates. */
  readonly record: string | null;
}

const recordOf = async ({ baseUrl, key }: Target): Promise<string | null> => {
  const { body } = await call(baseUrl(), '/v1/attribution?limit=50', { key: key() });
  const records = Array.isArray(body['data']) ? body['data'] : [];
  const record = records[Math.floor(records.length / 2)];
  return record?.output_state === 'manually_overridden' || record?.dispute !== undefined
    ? null
    : (record?.id ?? null);
};

const drawChange = async (draws: Draws, target: Target): Promise<Change | null> => {
  const name = `soak-${randomUUID()}`;
  const kind = draws.pick(['budget', 'mapping', 'key', 'override', 'dispute'] as const);
  switch (kind) {
    case 'budget': {
      const body = { name, ceiling_usd: '1000000', period: 'rolling_30d', scope: {} };
      return { kind, path: '/api/v1/budgets', body, name, record: null };
    }
    case 'mapping': {
      const condition = { field: 'api_key_name', operator: 'exact', value: name };
      const body = { name, conditions: [condition], owner: 'team-mapped' };
      return { kind, path: '/api/v1/identity/mappings', body, name, record: null };
    }
    case 'key':
      return { kind, path: '/api/v1/api-keys', body: { name, scopes: ['ingest:write'] }, name, record: null };
    case 'override':
    case 'dispute': {
      const record = await recordOf(target);
      if (record === null) return null;
      const body = kind === 'override' ? { owner: 'team-corrected', reason: name } : { reason: name };
      return { kind, path: `/v1/attribution/${record}/${kind}s`, body, name, record };
    }
  }
};

/** Makes one change and notes it when it is acknowledged. A refused one has no effect, and is not noted. */
export const makeChange = async (
  draws: Draws,
  target: Target,
  {
    client,
    journal,
    until,
  }: { readonly client: SoakClient; readonly journal: Journal; readonly until: number },
): Promise<void> => {
  const change = await drawChange(draws, target).catch(() => null);
  if (change === null) return;
  const answer = await client.change(change.path, change.body, until);
  if (answer === null || answer.status !== 201) return;
  const id = change.record ?? String(answer.body['id']);
  journal.acceptChange({ kind: change.kind, id, name: change.name });
};
