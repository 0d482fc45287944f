import * as z from 'zod';
import { NodePools } from '../../attribution/nodePools.ts';
import { route } from '../route.ts';

const POOLS_BYTES_MAXIMUM = 256 * 1_024;

const common = {
  unit: 'settings',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
} as const;

const NodePoolsState = z.object({ pools: NodePools }).meta({ id: 'NodePoolsState' });

const NodePoolsBody = z.strictObject({ pools: NodePools }).meta({
  id: 'NodePoolsChange',
  description: 'All pools. Those that are not sent are removed',
  example: {
    pools: [
      {
        name: 'h100-frankfurt',
        serves: [{ provider: 'vllm', model: 'llama-3.3-70b*' }],
        rates: [{ from: '2026-11-01T00:00:00Z', node_hour_usd: '12.29', nodes: 2 }],
      },
    ],
  },
});

export const getNodePools = route({
  ...common,
  method: 'GET',
  path: '/api/v1/node-pools',
  operation: 'getNodePools',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  summary: 'Read the node pools',
  description: 'Own nodes that run models, and what an hour of them costs.',
  rate: 'read',
  needs: ['tenants.read'],
  replies: { 200: { description: 'All pools', body: NodePoolsState } },
});

export const putNodePools = route({
  ...common,
  method: 'PUT',
  path: '/api/v1/node-pools',
  operation: 'putNodePools',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  summary: 'Replace the node pools',
  description:
    'Calls of what a pool serves cost their part of its hours, in place of any price. A record has no cost (`node_hour_open`) until its hour is over and divided. A change divides the last 35 days again. To end a pool, add a rate with 0 nodes: calls of a removed one keep their cost until they are reprocessed.',
  rate: 'write',
  needs: ['tenants.write'],
  body: { kind: 'json', schema: NodePoolsBody, maxBytes: POOLS_BYTES_MAXIMUM },
  audit: 'tenant.prices',
  replies: { 200: { description: 'The pools', body: NodePoolsState } },
});
