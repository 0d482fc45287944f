import { randomUUID } from 'node:crypto';
import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { call } from '../../test/support/client.ts';
import type { SoakClient, Target } from './client.ts';
import { CONFIRMATION, type Journal } from './journal.ts';
import { type Resource, resources } from './resources.ts';
import { IMPLAUSIBLE_USD } from './traffic.ts';

/** More of a kind exist at no time, so that deletions and changes are drawn as often as creations. */
const OPEN_MAXIMUM = 4;
/** Prices of a model that no call has. */
const PRICED = { provider: 'soak', from: '2026-01-01T00:00:00Z', input: '1', output: '2' };
/** Both change a record. */
const [RECORD, COST] = ['record', 'cost'];
/** The only list of prices. */
const PRICES = 'prices';

interface Change {
  readonly action: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
  /** What it changes. Null: it creates something, whose id is in the response. */
  readonly id: string | null;
  readonly name: string;
  /** What is then true of it. Null: it is gone. */
  readonly members: Readonly<Record<string, unknown>> | null;
}

/** What exists, of each kind. Two changes of one thing are never under way, so the last acknowledged one holds. */
interface Existing {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

const drawRecord = async (draws: Draws, { baseUrl, key }: Target, name: string): Promise<Change | null> => {
  const { body } = await call(baseUrl(), '/v1/attribution?limit=50', { key: key() });
  const records = Array.isArray(body['data']) ? body['data'] : [];
  const record = records[Math.floor(records.length / 2)];
  if (record === undefined || record.output_state === 'manually_overridden' || record.dispute !== undefined)
    return null;
  const path = `/v1/attribution/${record.id}`;
  const shared = { id: record.id, name };
  return draws.chance(0.5)
    ? {
        ...{ ...shared, action: 'attribution.override', path: `${path}/overrides` },
        body: { owner: 'team-corrected', reason: name },
        members: { output_state: 'manually_overridden' },
      }
    : {
        ...{ ...shared, action: 'attribution.dispute', path: `${path}/disputes`, body: { reason: name } },
        members: { disputed: name },
      };
};

/** Confirms the cost of a call that was set aside. */
const drawConfirmation = async ({ baseUrl, key }: Target, name: string): Promise<Change | null> => {
  const query = '/v1/attribution?cost_unknown=implausible_cost&limit=1';
  const { body } = await call(baseUrl(), query, { key: key() });
  const [record] = Array.isArray(body['data']) ? body['data'] : [];
  if (record === undefined) return null;
  return {
    ...{ action: CONFIRMATION, path: `/v1/attribution/${record.id}/cost-confirmation` },
    ...{ id: record.id, name, members: { cost_usd: String(IMPLAUSIBLE_USD) } },
  };
};

const drawPrices = (name: string): Change => {
  const prices = [{ ...PRICED, model: name }];
  return {
    ...{ action: 'tenant.prices', path: '/api/v1/contract-prices', method: 'PUT', body: { prices } },
    ...{ id: PRICES, name, members: { model: name } },
  };
};

const drawOf = (
  draws: Draws,
  { path, actions, create, update }: Resource,
  { open, name, receiver }: { open: readonly Existing[]; name: string; receiver: string },
): Change | null => {
  const [one] = open;
  const kinds = ['create', 'update', 'delete'] as const;
  const kind = open.length >= OPEN_MAXIMUM ? 'delete' : one === undefined ? 'create' : draws.pick(kinds);
  const action = actions[kind];
  if (action === undefined) return null;
  if (kind === 'create' || one === undefined) {
    return { action, path, body: create(name, receiver), id: null, name, members: {} };
  }
  const changed = { action, path: `${path}/${one.id}`, id: one.id, name: one.name };
  if (kind === 'delete') return { ...changed, method: 'DELETE', members: null };
  const members = update?.(draws) ?? {};
  return { ...changed, method: 'PATCH', body: members, members };
};

/** Returns a function that makes a change, and notes it when it is acknowledged. */
export const changeMaker = (
  draws: Draws,
  target: Target,
  { client, journal, until }: { client: SoakClient; journal: Journal; until: number },
) => {
  const existing: Existing[] = [];
  const busy = new Set<string>();
  const draw = async (kind: string, name: string): Promise<Change | null> => {
    const resource = resources[kind];
    if (resource !== undefined) {
      const open = existing.filter((one) => one.kind === kind && !busy.has(one.id));
      return drawOf(draws, resource, { open, name, receiver: target.receiver });
    }
    if (kind === PRICES) return drawPrices(name);
    return kind === COST ? drawConfirmation(target, name) : drawRecord(draws, target, name);
  };
  return async (): Promise<void> => {
    const kind = draws.pick([RECORD, COST, PRICES, ...Object.keys(resources)]);
    const name = `soak-${randomUUID()}`;
    const change = await draw(kind, name).catch(() => null);
    if (change === null || (change.id !== null && busy.has(change.id))) return;
    if (change.id !== null) busy.add(change.id);
    const { action, path, method, body, members } = change;
    const answer = await client.change(path, body, until, method);
    const created = resources[kind]?.idOf?.(name) ?? answer?.body['id'] ?? answer?.body['key_id'];
    const id = change.id ?? String(created);
    const isAccepted = answer !== null && answer.status < 300;
    if (answer === null) journal.unsure.add(id);
    if (isAccepted) {
      journal.acceptChange({ kind: kind === COST ? RECORD : kind, action, id, name: change.name, members });
      if (change.id === null) existing.push({ kind, id, name });
    }
    // What is deleted, or may be, is not changed any more.
    if (change.id !== null && (answer === null || (isAccepted && members === null)))
      existing.splice(0, existing.length, ...existing.filter((one) => one.id !== id));
    // Another change of the record can have come first. Nobody else changes the rest.
    if (answer !== null && !isAccepted && kind !== RECORD && kind !== COST)
      throw new Error(`${action} was refused: ${answer.text}`);
    busy.delete(id);
  };
};
