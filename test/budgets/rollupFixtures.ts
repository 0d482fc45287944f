import { randomBytes, randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { noFigures } from '../../functions/rollups/figures.ts';
import { LENGTH, startOf } from '../../functions/rollups/grain.ts';
import { rollupWriter } from '../../functions/rollups/rollup.store.ts';
import { tenantTag } from '../../functions/shared/ids.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { RaisedEvent } from '../../schemas/events.ts';
import type { Dimensions, RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import { aTenant } from '../attribution/events.ts';
import type { LiveTables } from '../shared/tables.ts';

/** A rollup group with defaults for every member that a test does not set. */
export const aGroup = (
  usd: string,
  members: Partial<Dimensions> & {
    readonly calls?: number;
    readonly unpriced?: number;
    readonly persons?: readonly string[];
  } = {},
): RollupGroup => {
  const { calls = 1, unpriced = 0, persons = [], ...dimensions } = members;
  return {
    dimensions: {
      owner: 'team-search',
      service: 'ranking',
      provider: 'openai',
      served_model: 'gpt-4o',
      pathway_category: 'application_direct',
      residency: null,
      tags: [],
      ...dimensions,
    },
    figures: {
      ...noFigures,
      invocations: calls,
      cost_usd: { low: usd, central: usd, high: usd, unknown: unpriced },
      persons: [...persons].sort(),
      impersonal: persons.length === 0 ? calls : 0,
    },
  };
};

export const newTenant = (members: Partial<Tenant> = {}): Tenant => {
  const tenant_id = `tenant-${randomUUID()}`;
  return aTenant({ tenant_id, tag: tenantTag(tenant_id, randomBytes(32)), ...members });
};

/** Writes the rollup of a period, and replaces the one before. */
export const putRollup = async (
  { tenant_id }: Tenant,
  grain: RollupGrain,
  at: number,
  groups: readonly RollupGroup[],
  asOf = at,
): Promise<void> => {
  const rollups = rollupWriter('rollups');
  const start = startOf(grain, at);
  const revision = await rollups.readRevision(tenant_id, grain, start);
  await rollups.put(tenant_id, { start, grain, asOf, groups }, revision);
};

export const minuteOf = (at: number): number => Math.floor(at / LENGTH.minute);

/** The events raised for a tenant, in the order of their ids. */
export const readRaisedEvents = async (
  { client }: LiveTables,
  { tenant_id }: Tenant,
): Promise<RaisedEvent[]> => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'outbox',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: tenant_id } },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ document }) => RaisedEvent.parse(JSON.parse(document?.S ?? '')));
};
